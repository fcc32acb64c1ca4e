import { Injectable } from '@nestjs/common';
import { decode, type JwtHeader, sign } from 'jsonwebtoken';
import { type RequestContext } from '#kernel/context/request-context';
import { isUuid } from '#kernel/ids';
import { RuntimeConfig } from '#infra/config/config';
import { Secrets, type SigningKey } from '#infra/crypto/secrets';

export const ACCESS_TOKEN_SECONDS = 600;
export const AUDIENCE = 'agate-api';
const MAX_TOKEN_LENGTH = 8192;
const FUTURE_LEEWAY_MS = 60_000;

/** The claims of an access token. All of them are checked, and all but `sid` are required. */
export interface AccessClaims {
  readonly sub: string;
  readonly email: string;
  readonly iss: string;
  readonly aud: string;
  /**
   * Seconds since 1970 with milliseconds as a fraction, which RFC 7519 section 2 allows. Whole seconds would reject the
   * token of a login in the same second as a logout.
   */
  readonly iat: number;
  readonly exp: number;
  /** The id of the session. Absent from tokens of earlier releases. */
  readonly sid?: string;
}

/** Returns the header of a token whose payload is a JSON object; null for every other text. */
function headerOf(token: string): JwtHeader | null {
  try {
    const { header, payload } = decode(token, { complete: true }) ?? {};
    return header && typeof payload === 'object' && (payload as object | null) !== null ? header : null;
  } catch {
    // jsonwebtoken throws when the payload is not JSON or is `null`.
    return null;
  }
}

/** Signs access JWTs, and finds the key that verifies a presented one. */
@Injectable()
export class AccessTokensService {
  readonly issuer: string;
  private readonly keys: ReadonlyMap<string, SigningKey>;

  constructor(
    private readonly secrets: Secrets,
    runtime: RuntimeConfig,
  ) {
    this.issuer = runtime.environment === 'production' ? 'agate' : 'agate-local';
    this.keys = new Map(secrets.signingKeys.map((key) => [key.id, key]));
  }

  /** @param issuedAtMs milliseconds since 1970 by the database's clock. */
  issue(
    developer: { id: string; email: string },
    { issuedAtMs, sessionId }: { issuedAtMs: number; sessionId: string },
  ): string {
    const [key] = this.secrets.signingKeys;
    const iat = issuedAtMs / 1000;
    const claims: AccessClaims = {
      sub: developer.id,
      email: developer.email,
      iss: this.issuer,
      aud: AUDIENCE,
      iat,
      exp: iat + ACCESS_TOKEN_SECONDS,
      sid: sessionId,
    };
    return sign(claims, key!.privateKey, { algorithm: 'RS256', keyid: key!.id });
  }

  /**
   * Returns the key that the token names by `kid`. Null when the key is unknown, the algorithm is not RS256, or the token has a
   * critical extension (RFC 8725).
   */
  keyFor(token: string): SigningKey | null {
    if (token.length > MAX_TOKEN_LENGTH) return null;
    const header = headerOf(token);
    if (header?.alg !== 'RS256' || header.crit !== undefined || typeof header.kid !== 'string') return null;
    return this.keys.get(header.kid) ?? null;
  }

  /**
   * Checks the claims that passport-jwt does not check: it accepts a token without `exp`, `iat`, `sub` or `email`, one that
   * was issued in the future, and one with a longer lifetime than ten minutes. Returns null when a claim is missing,
   * malformed or expired.
   */
  checkClaims(ctx: RequestContext, claims: Readonly<Record<string, unknown>>): AccessClaims | null {
    const { sub, email, iss, aud, iat, exp, sid } = claims;
    if (sid !== undefined && !isUuid(sid)) return null;
    const texts = [sub, email].every((claim) => typeof claim === 'string' && claim !== '');
    const times = [iat, exp].every((claim) => typeof claim === 'number' && Number.isFinite(claim));
    if (!texts || !times || iss !== this.issuer || aud !== AUDIENCE) return null;
    const now = ctx.clock.now().getTime();
    const [issuedAt, expiresAt] = [(iat as number) * 1000, (exp as number) * 1000];
    if (issuedAt > now + FUTURE_LEEWAY_MS || expiresAt <= now) return null;
    if (expiresAt - issuedAt > ACCESS_TOKEN_SECONDS * 1000 + 1) return null;
    return claims as unknown as AccessClaims;
  }
}
