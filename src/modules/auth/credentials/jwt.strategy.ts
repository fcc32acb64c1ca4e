import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { type Request } from 'express';
import passport from 'passport';
import { type JwtFromRequestFunction, Strategy } from 'passport-jwt';
import { AppError } from '#kernel/errors/app-error';
import { newId } from '#kernel/ids';
import { type AppRequest } from '#infra/http/request/app-request';
import { AccessTokensService, AUDIENCE } from './access-tokens.service';
import { credentialOf } from './credential';

const fromRequest: JwtFromRequestFunction = (request: Request) => credentialOf(request as AppRequest)?.value ?? null;

/** Verifies access JWTs: the signature by RS256 with the key named by `kid`, the issuer and the audience. */
@Injectable()
export class JwtStrategy extends PassportStrategy(Strategy, 'jwt') {
  /**
   * The name in passport's registry, which is global to the process; it is unique so that two applications in one process do
   * not share a strategy. The guard must pass the name: passport stores the callbacks of a request on a strategy object that
   * is passed directly, so that simultaneous requests would overwrite each other's callbacks.
   */
  readonly registeredName = `jwt-${newId()}`;

  constructor(accessTokens: AccessTokensService) {
    super({
      jwtFromRequest: fromRequest,
      algorithms: ['RS256'],
      issuer: accessTokens.issuer,
      audience: AUDIENCE,
      // `SessionsService.resolve` checks the expiry by the database's clock.
      ignoreExpiration: true,
      secretOrKeyProvider: (_request: Request, token: unknown, done: (error: unknown, key?: never) => void) => {
        const key = accessTokens.keyFor(String(token));
        // A KeyObject, so that the key is not parsed on every request.
        done(key ? null : new AppError('unauthorized'), key?.publicKey as never);
      },
    });
    passport.use(this.registeredName, this);
  }

  /** The claims of a token whose signature, issuer and audience are valid. The guard checks the rest of it. */
  validate(payload: Record<string, unknown>): Record<string, unknown> {
    return payload;
  }
}
