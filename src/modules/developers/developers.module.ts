import { Module, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SealedColumns } from '#infra/crypto/sealed-columns';
import { MailOutbox } from '#infra/mail/mail-outbox';
import { CaptchaModule } from '#modules/captcha';
import { AccountController } from './account/account.controller';
import { AccountService } from './account/account.service';
import { AccountOperationsService } from './account/account-operations.service';
import { SignUpPolicyService } from './account/sign-up-policy.service';
import { UnverifiedAccountsService } from './account/unverified-accounts.service';
import { DeveloperEntity, DeveloperLinkEntity } from './developer.entity';
import { DevelopersController } from './developers.controller';
import { DevelopersRepository } from './developers.repository';
import { DevelopersService } from './developers.service';
import { DeveloperLinksService, TokenRevocation } from './mailed-links/developer-links.service';
import { EmailChangeController } from './mailed-links/email-change.controller';
import { EmailChangeService } from './mailed-links/email-change.service';
import { EmailVerificationController } from './mailed-links/email-verification.controller';
import { AccountNoticesService } from './mailed-links/mails/account-notices.service';
import { DeveloperMailsService } from './mailed-links/mails/developer-mails.service';
import { PasswordResetController } from './mailed-links/password-reset.controller';
import { sealContext, SecondFactorCodesService } from './mfa/second-factor-codes.service';
import { SecondFactorLockoutService } from './mfa/second-factor-lockout.service';
import { SecondFactorsController } from './mfa/second-factors.controller';
import { RecoveryCodeEntity, SecondFactorEntity, SecondFactorsRepository } from './mfa/second-factors.repository';
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
    AccountNoticesService,
    AccountOperationsService,
    AccountService,
    DeveloperLinksService,
    DeveloperMailsService,
    DevelopersRepository,
    DevelopersService,
    EmailChangeService,
    SecondFactorCodesService,
    SignUpPolicyService,
    UnverifiedAccountsService,
    SecondFactorLockoutService,
    SecondFactorsRepository,
    SecondFactorsService,
    TokenRevocation,
  ],
  exports: [
    AccountNoticesService,
    AccountOperationsService,
    AccountService,
    DevelopersService,
    SecondFactorsService,
    SignUpPolicyService,
    TokenRevocation,
  ],
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
    this.outbox.sendOnlyWhile('developer', async (ctx, { id }) => (await this.developers.findById(ctx, id)) !== null);
  }
}
