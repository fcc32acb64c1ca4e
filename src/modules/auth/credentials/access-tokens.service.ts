import { Injectable } from '@nestjs/common';
import { decode, type JwtHeader, sign, verify } from 'jsonwebtoken';
import { isUuid } from '#kernel/ids';
import { RuntimeConfig } from '#infra/config/config';
import { Secrets, type SigningKey } from '#infra/crypto/secrets';
import { type IssueTime, type SessionHolder } from '#modules/developers';

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
   * token of a login in the same second as a logout. Later than `exp` when the clock was set back after a logout.
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

  /** @param time read from the database's clock, which also decides when the token has expired. */
  issue(developer: { id: string; email: string }, sessionId: string, { now, issuedAt }: IssueTime): string {
    const [key] = this.secrets.signingKeys;
    const claims: AccessClaims = {
      sub: developer.id,
      email: developer.email,
      iss: this.issuer,
      aud: AUDIENCE,
      iat: issuedAt / 1000,
      exp: now / 1000 + ACCESS_TOKEN_SECONDS,
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
   * Returns the payload of a token with a valid signature, issuer and audience; null for every other text. Checks neither the other
   * claims nor the expiry.
   */
  verify(token: string): Readonly<Record<string, unknown>> | null {
    const key = this.keyFor(token);
    if (!key) return null;
    try {
      const options = { issuer: this.issuer, audience: AUDIENCE, ignoreExpiration: true } as const;
      return verify(token, key.publicKey, { ...options, algorithms: ['RS256'] }) as Record<string, unknown>;
    } catch {
      return null;
    }
  }

  /**
   * Checks the claims that passport-jwt does not check: it accepts a token without `exp`, `iat`, `sub` or `email`, and one with a longer
   * lifetime than ten minutes. Returns null when a claim is missing or malformed.
   */
  checkClaims(claims: Readonly<Record<string, unknown>>): AccessClaims | null {
    const { sub, email, iss, aud, iat, exp, sid } = claims;
    if (sid !== undefined && !isUuid(sid)) return null;
    const texts = [sub, email].every((claim) => typeof claim === 'string' && claim !== '');
    const times = [iat, exp].every((claim) => typeof claim === 'number' && Number.isFinite(claim));
    if (!texts || !times || iss !== this.issuer || aud !== AUDIENCE) return null;
    if (((exp as number) - (iat as number)) * 1000 > ACCESS_TOKEN_SECONDS * 1000 + 1) return null;
    return claims as unknown as AccessClaims;
  }

  /**
   * False when the token has expired, was issued before the last logout, or will be issued in the future. Compares with the database's
   * clock, which issued the token: a token is valid however wrong the clock of this process is.
   */
  isCurrent({ iat, exp }: AccessClaims, { now, minIssuedAt }: Pick<SessionHolder, 'now' | 'minIssuedAt'>): boolean {
    const issuedAt = iat * 1000;
    const latest = Math.max(now.getTime(), minIssuedAt.getTime()) + FUTURE_LEEWAY_MS;
    return exp * 1000 > now.getTime() && Math.round(issuedAt) >= minIssuedAt.getTime() && issuedAt <= latest;
  }
}
