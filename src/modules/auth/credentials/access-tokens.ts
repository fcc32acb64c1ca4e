import { Injectable } from '@nestjs/common';
import { decode, type JwtHeader, sign } from 'jsonwebtoken';
import { type RequestContext } from '#kernel/context/request-context';
import { RuntimeConfig } from '#infra/config/config';
import { Secrets, type SigningKey } from '#infra/crypto/secrets';

/** Specification §5: ten minutes. */
export const ACCESS_TOKEN_SECONDS = 600;
export const AUDIENCE = 'agate-api';
const MAX_TOKEN_LENGTH = 8192;
const FUTURE_LEEWAY_MS = 60_000;

/** The claims that every access token has; all required, all checked (specification §5 rule 1). */
export interface AccessClaims {
  readonly sub: string;
  readonly email: string;
  readonly iss: string;
  readonly aud: string;
  /** NumericDate with milliseconds, which RFC 7519 §2 allows: logging out and in again within a second must work. */
  readonly iat: number;
  readonly exp: number;
}

/** What a token with claims says of itself, or null; the library throws on a payload that is no JSON, or is `null`. */
function headerOf(token: string): JwtHeader | null {
  try {
    const { header, payload } = decode(token, { complete: true }) ?? {};
    return header && typeof payload === 'object' && (payload as object | null) !== null ? header : null;
  } catch {
    return null;
  }
}

/** Signs access JWTs and tells which key a presented one is to be verified with. */
@Injectable()
export class AccessTokens {
  readonly issuer: string;
  private readonly keys: ReadonlyMap<string, SigningKey>;

  constructor(
    private readonly secrets: Secrets,
    runtime: RuntimeConfig,
  ) {
    this.issuer = runtime.environment === 'production' ? 'agate' : 'agate-local';
    this.keys = new Map(secrets.signingKeys.map((key) => [key.id, key]));
  }

  /** @param issuedAtMs milliseconds since 1970, by the database's clock. */
  issue(developer: { id: string; email: string }, issuedAtMs: number): string {
    const [key] = this.secrets.signingKeys;
    const iat = issuedAtMs / 1000;
    const claims: AccessClaims = {
      sub: developer.id,
      email: developer.email,
      iss: this.issuer,
      aud: AUDIENCE,
      iat,
      exp: iat + ACCESS_TOKEN_SECONDS,
    };
    return sign(claims, key!.privateKey, { algorithm: 'RS256', keyid: key!.id });
  }

  /** The key that a token names, or null: only RS256, only our keys by `kid`, no critical extensions (RFC 8725). */
  keyFor(token: string): SigningKey | null {
    if (token.length > MAX_TOKEN_LENGTH) return null;
    const header = headerOf(token);
    if (header?.alg !== 'RS256' || header.crit !== undefined || typeof header.kid !== 'string') return null;
    return this.keys.get(header.kid) ?? null;
  }

  /**
   * What passport-jwt does not look at: that each claim is there and of its type (the library below it takes a token
   * without `exp`, `iat`, `sub` or `email`, and one issued in the future), and that the token is no older than it may be.
   */
  checkClaims(ctx: RequestContext, claims: Readonly<Record<string, unknown>>): AccessClaims | null {
    const { sub, email, iss, aud, iat, exp } = claims;
    const texts = [sub, email].every((claim) => typeof claim === 'string' && claim !== '');
    const times = [iat, exp].every((claim) => typeof claim === 'number' && Number.isFinite(claim));
    if (!texts || !times || iss !== this.issuer || aud !== AUDIENCE) return null;
    const now = ctx.clock.now().getTime();
    const [from, to] = [(iat as number) * 1000, (exp as number) * 1000];
    if (from > now + FUTURE_LEEWAY_MS || to <= now || to - from > ACCESS_TOKEN_SECONDS * 1000 + 1) return null;
    return claims as unknown as AccessClaims;
  }
}
