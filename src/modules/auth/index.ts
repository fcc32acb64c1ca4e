export { AuthModule } from './auth.module';
export { AuthenticationGuard } from './authentication.guard';
