import { Module } from '@nestjs/common';
import { PassportModule } from '@nestjs/passport';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DevelopersModule } from '#modules/developers';
import { TokensModule } from '#modules/tokens';
import { AccessTokens } from './access-tokens';
import { AuthenticationGuard } from './authentication.guard';
import { CrossSiteGuard } from './cross-site.guard';
import { JwksController } from './jwks.controller';
import { JwtStrategy } from './jwt.strategy';
import { LoginController } from './login.controller';
import { LoginService } from './login.service';
import { RefreshFamilyEntity } from './refresh-family.entity';
import { RefreshTokenEntity } from './refresh-token.entity';
import { SessionCookies } from './session-cookies';
import { SessionsRepository } from './sessions.repository';
import { SessionsService } from './sessions.service';
import { TokenIdentities } from './token-identities';

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
