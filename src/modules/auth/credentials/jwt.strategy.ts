import { Injectable } from '@nestjs/common';
import passport from 'passport';
import { PassportStrategy } from '@nestjs/passport';
import { type Request } from 'express';
import { type JwtFromRequestFunction, Strategy } from 'passport-jwt';
import { type DeveloperIdentity } from '#kernel/context/identity';
import { AppError } from '#kernel/errors/app-error';
import { newId } from '#kernel/ids';
import { type AppRequest } from '#infra/http/request/app-request';
import { AccessTokens, AUDIENCE } from './access-tokens';
import { credentialOf } from './credentials';
import { SessionsService } from '../sessions/sessions.service';

const fromRequest: JwtFromRequestFunction = (request: Request) => credentialOf(request as AppRequest)?.value ?? null;

/** Access JWTs (specification §5): RS256, our keys by `kid`, our issuer and audience, then every claim and the floor. */
@Injectable()
export class JwtStrategy extends PassportStrategy(Strategy, 'jwt') {
  /**
   * Its name in passport's one registry of the process: two applications side by side stay apart. It must be a name: given
   * the strategy itself, passport hangs each request's callbacks on that one object, and simultaneous requests mix.
   */
  readonly registeredName = `jwt-${newId()}`;

  constructor(
    accessTokens: AccessTokens,
    private readonly sessions: SessionsService,
  ) {
    super({
      jwtFromRequest: fromRequest,
      algorithms: ['RS256'],
      issuer: accessTokens.issuer,
      audience: AUDIENCE,
      // Both are checked with the claims, against the injected clock.
      ignoreExpiration: true,
      passReqToCallback: true,
      secretOrKeyProvider: (_request: Request, token: unknown, done: (error: unknown, key?: never) => void) => {
        const key = accessTokens.keyFor(String(token));
        // A KeyObject: parsed once, not on every request.
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
