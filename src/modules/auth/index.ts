export { AUTH_FILES } from './auth.account-data';
export { AuthModule } from './auth.module';
export { ACCESS_COOKIE, credentialExpiry } from './credentials/credential';
export { AuthenticationGuard } from './credentials/authentication.guard';
export { type FailureCounter, FailedLoginsRepository } from './login/failed-logins.repository';
export { CrossSiteGuard } from './credentials/cross-site.guard';
