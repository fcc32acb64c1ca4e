export { AccountService } from './account/account.service';
export { AccountOperationsService } from './account/account-operations.service';
export { TokenRevocation } from './mailed-links/developer-links.service';
export { DEVELOPERS_FILES } from './developers.account-data';
export { AccountNoticesService } from './mailed-links/mails/account-notices.service';
export { SignUpPolicyService } from './account/sign-up-policy.service';
export {
  type Developer,
  type AuthenticatedDeveloper,
  DevelopersService,
  labelOf,
  type SessionHolder,
} from './developers.service';
export { AcceptLanguageOfAccount, toDeveloperResponse, DeveloperResponse } from './developers.dto';
export { DevelopersModule } from './developers.module';
export { type IssueTime } from './developers.repository';
export { tooManyWrongCodes } from './mfa/second-factor-lockout.service';
export { type FactorVerdict, SecondFactorsService } from './mfa/second-factors.service';
