export { DEVELOPERS_FILES } from './developers.account-data';
export { AccountNoticesService } from './mailed-links/mails/account-notices.service';
export { type Developer } from './developer';
export { DevelopersModule } from './developers.module';
export { type IssueTime } from './developers.repository';
export { type AuthenticatedDeveloper, DevelopersService, type SessionHolder } from './developers.service';
export { tooManyWrongCodes } from './mfa/second-factor-lockout.service';
export { type FactorVerdict, SecondFactorsService } from './mfa/second-factors.service';
