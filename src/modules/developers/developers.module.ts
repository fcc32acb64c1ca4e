import { Module, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CaptchaModule } from '#modules/captcha';
import { PasswordHasher } from '#infra/crypto/password-hasher';
import { SealedColumns } from '#infra/crypto/sealed-columns';
import { MailOutbox } from '#infra/mail/mail-outbox';
import { AccountController } from './account/account.controller';
import { AccountService } from './account/account.service';
import { EmailChangeController } from './mailed-links/email-change.controller';
import { EmailChangeService } from './mailed-links/email-change.service';
import { DeveloperLinkEntity } from './mailed-links/developer-link.entity';
import { DeveloperLinksService } from './mailed-links/developer-links.service';
import { DeveloperMails } from './mailed-links/developer-mails';
import { DeveloperEntity } from './developer.entity';
import { DevelopersController } from './developers.controller';
import { DevelopersRepository } from './developers.repository';
import { DevelopersService } from './developers.service';
import { EmailVerificationController } from './mailed-links/email-verification.controller';
import { PasswordResetController } from './mailed-links/password-reset.controller';
import { RecoveryCodeEntity } from './mfa/recovery-code.entity';
import { sealContext, SecondFactorCodes } from './mfa/second-factor-codes';
import { SecondFactorGuesses } from './mfa/second-factor-guesses';
import { SecondFactorEntity } from './mfa/second-factor.entity';
import { SecondFactorsController } from './mfa/second-factors.controller';
import { SecondFactorsRepository } from './mfa/second-factors.repository';
import { SecondFactorsService } from './mfa/second-factors.service';

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
    PasswordHasher,
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
