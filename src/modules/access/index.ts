export { AccessGuard } from './access.guard';
export { AccessModule } from './access.module';
export { AccessService } from './access.service';
export { CredentialViews, type PersonalTokenView, type SessionView } from './credential-views';
