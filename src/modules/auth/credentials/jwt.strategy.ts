import { Injectable } from '@nestjs/common';
import passport from 'passport';
import { PassportStrategy } from '@nestjs/passport';
import { type Request } from 'express';
import { type JwtFromRequestFunction, Strategy } from 'passport-jwt';
import { type DeveloperIdentity } from '#kernel/context/identity';
import { AppError } from '#kernel/errors/app-error';
import { newId } from '#kernel/ids';
import { type AppRequest } from '#infra/http/request/app-request';
import { SessionsService } from '../sessions/sessions.service';
import { AccessTokensService, AUDIENCE } from './access-tokens.service';
import { credentialOf } from './credential';

const fromRequest: JwtFromRequestFunction = (request: Request) => credentialOf(request as AppRequest)?.value ?? null;

/**
 * Verifies access JWTs: the signature by RS256 with the key named by `kid`, the issuer, the audience, every other claim, and
 * that the token was issued after the developer's last logout.
 */
@Injectable()
export class JwtStrategy extends PassportStrategy(Strategy, 'jwt') {
  /**
   * The name in passport's registry, which is global to the process; it is unique so that two applications in one process do
   * not share a strategy. The guard must pass the name: passport stores the callbacks of a request on a strategy object that
   * is passed directly, so that simultaneous requests would overwrite each other's callbacks.
   */
  readonly registeredName = `jwt-${newId()}`;

  constructor(
    accessTokens: AccessTokensService,
    private readonly sessions: SessionsService,
  ) {
    super({
      jwtFromRequest: fromRequest,
      algorithms: ['RS256'],
      issuer: accessTokens.issuer,
      audience: AUDIENCE,
      // `checkClaims` checks the expiry by the injected clock.
      ignoreExpiration: true,
      passReqToCallback: true,
      secretOrKeyProvider: (_request: Request, token: unknown, done: (error: unknown, key?: never) => void) => {
        const key = accessTokens.keyFor(String(token));
        // A KeyObject, so that the key is not parsed on every request.
        done(key ? null : new AppError('unauthorized'), key?.publicKey as never);
      },
    });
    passport.use(this.registeredName, this);
  }

  async validate(request: AppRequest, payload: Record<string, unknown>): Promise<DeveloperIdentity> {
    const identity = await this.sessions.resolve(request.context, payload);
    if (!identity) throw new AppError('unauthorized');
    return identity;
  }
}
