export { AUTH_FILES } from './auth.account-data';
export { AuthModule } from './auth.module';
export { ACCESS_COOKIE } from './credentials/credential';
export { AuthenticationGuard } from './credentials/authentication.guard';
export { credentialExpiry } from './credentials/credential-expiry';
