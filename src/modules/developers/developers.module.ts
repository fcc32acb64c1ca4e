import { Module, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CaptchaModule } from '#modules/captcha';
import { Passwords } from '#platform/crypto/passwords';
import { SealedColumns } from '#platform/crypto/sealed-columns';
import { MailOutbox } from '#platform/mail/mail-outbox';
import { AccountController } from './account.controller';
import { AccountService } from './account.service';
import { EmailChangeController } from './email-change.controller';
import { EmailChangeService } from './email-change.service';
import { DeveloperLinkEntity } from './developer-link.entity';
import { DeveloperLinksService } from './developer-links.service';
import { DeveloperMails } from './developer-mails';
import { DeveloperEntity } from './developer.entity';
import { DevelopersController } from './developers.controller';
import { DevelopersRepository } from './developers.repository';
import { DevelopersService } from './developers.service';
import { EmailVerificationController } from './email-verification.controller';
import { PasswordResetController } from './password-reset.controller';
import { RecoveryCodeEntity } from './recovery-code.entity';
import { sealContext, SecondFactorCodes } from './second-factor-codes';
import { SecondFactorGuesses } from './second-factor-guesses';
import { SecondFactorEntity } from './second-factor.entity';
import { SecondFactorsController } from './second-factors.controller';
import { SecondFactorsRepository } from './second-factors.repository';
import { SecondFactorsService } from './second-factors.service';

@Module({
  imports: [
    CaptchaModule,
    TypeOrmModule.forFeature([DeveloperEntity, DeveloperLinkEntity, RecoveryCodeEntity, SecondFactorEntity]),
  ],
  controllers: [
    AccountController,
    DevelopersController,
    EmailChangeController,
    EmailVerificationController,
    PasswordResetController,
    SecondFactorsController,
  ],
  providers: [
    AccountService,
    EmailChangeService,
    DeveloperLinksService,
    DeveloperMails,
    DevelopersRepository,
    DevelopersService,
    Passwords,
    SecondFactorCodes,
    SecondFactorGuesses,
    SecondFactorsRepository,
    SecondFactorsService,
  ],
  exports: [DevelopersService, SecondFactorsService],
})
export class DevelopersModule implements OnModuleInit {
  constructor(
    private readonly sealed: SealedColumns,
    private readonly developers: DevelopersRepository,
    private readonly outbox: MailOutbox,
  ) {}

  onModuleInit(): void {
    const columns = { table: 'second_factor', column: 'sealed_secret', key: 'developer_id' };
    this.sealed.register({ ...columns, contextOf: sealContext });
    this.outbox.sendOnlyWhile('developer', async (ctx, id) => (await this.developers.findById(ctx, id)) !== null);
  }
}
