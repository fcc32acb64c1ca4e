import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type DeveloperIdentity } from '#kernel/context/identity';
import { HttpConfig } from '#infra/config/config';
import { KeyedDigest } from '#infra/crypto/keyed-digest';
import { type AppRequest } from '#infra/http/request/app-request';
import { cookieOf, hasCookie } from './credential';

/** Browsers accept this prefix only from the host itself, over https, for all paths (RFC 6265bis, section 4.1.3.2). */
export const PROOF_COOKIE = '__Host-dfdeveloper_session';

/**
 * Proves that this host set the cookies of a browser's session. A sibling host can set `dfdeveloper` and `dfdeveloper_refresh` for the parent
 * domain, and so put a visitor into another account, but not the proof (docs/decisions/0064-what-ends-with-a-session.md).
 */
@Injectable()
export class SessionProofs {
  /** False without https: browsers then refuse the prefix, and a name without it proves nothing. */
  readonly areUsed: boolean;

  constructor(
    { baseUrl }: HttpConfig,
    private readonly digest: KeyedDigest,
  ) {
    this.areUsed = baseUrl.startsWith('https:');
  }

  /** The value of the proof of a session. */
  of(sessionId: string): string {
    return this.digest.of('session-proof', sessionId).toString('base64url');
  }

  /**
   * Whether the cookies of a request may stand for a session: with its proof, or without any from a client that is not a browser. Browsers send
   * `Sec-Fetch-Site`, which pages cannot remove.
   * @param sessionId null for an access token that names no session, which has no proof.
   */
  accepts(request: AppRequest, sessionId: DeveloperIdentity['sessionId']): boolean {
    if (!this.areUsed) return true;
    if (!hasCookie(request, PROOF_COOKIE)) return request.get('sec-fetch-site') === undefined;
    const proof = Buffer.from(cookieOf(request, PROOF_COOKIE) ?? '');
    const expected = Buffer.from(sessionId ? this.of(sessionId) : '');
    return proof.length > 0 && proof.length === expected.length && timingSafeEqual(proof, expected);
  }
}
