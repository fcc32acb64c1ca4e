import { Module } from '@nestjs/common';
import { PassportModule } from '@nestjs/passport';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CaptchaModule } from '#modules/captcha';
import { DevelopersModule } from '#modules/developers';
import { OrganizationsModule } from '#modules/organizations';
import { ProjectsModule } from '#modules/projects';
import { TokensModule } from '#modules/tokens';
import { AccessTokensService } from './credentials/access-tokens.service';
import { AuthenticationGuard } from './credentials/authentication.guard';
import { CrossSiteGuard } from './credentials/cross-site.guard';
import { JwksController } from './credentials/jwks.controller';
import { JwtStrategy } from './credentials/jwt.strategy';
import { SessionProofs } from './credentials/session-proofs';
import { CurrentCredentialController } from './current-credential/current-credential.controller';
import { CurrentCredentialService } from './current-credential/current-credential.service';
import { DeviceCodesService } from './device-login/device-codes.service';
import { DeviceLoginController } from './device-login/device-login.controller';
import { DeviceLoginEntity, DeviceLoginsRepository } from './device-login/device-logins.repository';
import { DeviceLoginsService } from './device-login/device-logins.service';
import { DeviceTokensService } from './device-login/device-tokens.service';
import { InvitationLoginController } from './invitation-login/invitation-login.controller';
import { InvitationLoginService } from './invitation-login/invitation-login.service';
import { DeviceCookies } from './login/device-cookies';
import { FailedLoginEntity, FailedLoginsRepository } from './login/failed-logins.repository';
import { LoginProtectionService } from './login/login-protection.service';
import { SessionStateController } from './session-state/session-state.controller';
import { SessionStateService } from './session-state/session-state.service';
import { LoginController } from './sessions/login.controller';
import { LoginService } from './sessions/login.service';
import { OwnSessionsController } from './sessions/own-sessions.controller';
import { OwnSessionsService } from './sessions/own-sessions.service';
import { SessionCookies } from './sessions/session-cookies';
import { RefreshFamilyEntity, RefreshTokenEntity, SessionsRepository } from './sessions/sessions.repository';
import { SessionsService } from './sessions/sessions.service';

/** The guard is registered for all routes in `app.module.ts`. */
@Module({
  imports: [
    TypeOrmModule.forFeature([DeviceLoginEntity, FailedLoginEntity, RefreshFamilyEntity, RefreshTokenEntity]),
    CaptchaModule,
    PassportModule,
    DevelopersModule,
    OrganizationsModule,
    ProjectsModule,
    TokensModule,
  ],
  controllers: [
    CurrentCredentialController,
    DeviceLoginController,
    InvitationLoginController,
    LoginController,
    JwksController,
    OwnSessionsController,
    SessionStateController,
  ],
  providers: [
    AccessTokensService,
    AuthenticationGuard,
    CrossSiteGuard,
    CurrentCredentialService,
    DeviceCodesService,
    DeviceCookies,
    DeviceLoginsRepository,
    DeviceLoginsService,
    DeviceTokensService,
    FailedLoginsRepository,
    InvitationLoginService,
    JwtStrategy,
    LoginProtectionService,
    LoginService,
    OwnSessionsService,
    SessionCookies,
    SessionProofs,
    SessionStateService,
    SessionsRepository,
    SessionsService,
  ],
  exports: [AuthenticationGuard, CrossSiteGuard, FailedLoginsRepository],
})
export class AuthModule {}
