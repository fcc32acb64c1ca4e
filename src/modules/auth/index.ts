export { AuthModule } from './auth.module';
export { AuthenticationGuard } from './credentials/authentication.guard';
