import { Module } from '@nestjs/common';
import { PassportModule } from '@nestjs/passport';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DevelopersModule } from '#modules/developers';
import { TokensModule } from '#modules/tokens';
import { AccessTokens } from './credentials/access-tokens';
import { AuthenticationGuard } from './credentials/authentication.guard';
import { CrossSiteGuard } from './credentials/cross-site.guard';
import { JwksController } from './credentials/jwks.controller';
import { JwtStrategy } from './credentials/jwt.strategy';
import { LoginController } from './sessions/login.controller';
import { LoginService } from './sessions/login.service';
import { RefreshFamilyEntity } from './sessions/refresh-family.entity';
import { RefreshTokenEntity } from './sessions/refresh-token.entity';
import { SessionCookies } from './sessions/session-cookies';
import { SessionsRepository } from './sessions/sessions.repository';
import { SessionsService } from './sessions/sessions.service';
import { TokenIdentities } from './credentials/token-identities';

/** Who somebody is. The guard is registered globally in `app.module.ts`. */
@Module({
  imports: [
    TypeOrmModule.forFeature([RefreshFamilyEntity, RefreshTokenEntity]),
    PassportModule,
    DevelopersModule,
    TokensModule,
  ],
  controllers: [LoginController, JwksController],
  providers: [
    AccessTokens,
    CrossSiteGuard,
    JwtStrategy,
    LoginService,
    SessionCookies,
    SessionsRepository,
    SessionsService,
    TokenIdentities,
    AuthenticationGuard,
  ],
  exports: [AuthenticationGuard],
})
export class AuthModule {}
