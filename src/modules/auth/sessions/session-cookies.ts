import { Injectable } from '@nestjs/common';
import { type CookieOptions, type Response } from 'express';
import { type RequestContext } from '#kernel/context/request-context';
import { HttpConfig, RuntimeConfig } from '#infra/config/config';
import { ACCESS_TOKEN_SECONDS } from '../credentials/access-tokens.service';
import { ACCESS_COOKIE, REFRESH_COOKIE } from '../credentials/credential';
import { PROOF_COOKIE, SessionProofs } from '../credentials/session-proofs';
import { DEVICE_COOKIE, DEVICE_COOKIE_DAYS, DeviceCookies } from '../login/device-cookies';
import { type TokenPairResponse } from './sessions.dto';
import { type TokenPair } from './sessions.service';

const REFRESH_DAYS = 30;
const DAY_MS = 86_400_000;

/**
 * Sets and clears the cookies of a browser session, with the proof of the session, and sets the cookie of the device, which outlasts the
 * session. They are Secure except in local development over HTTP.
 */
@Injectable()
export class SessionCookies {
  private readonly base: CookieOptions;

  constructor(
    { baseUrl }: HttpConfig,
    { environment }: RuntimeConfig,
    private readonly devices: DeviceCookies,
    private readonly proofs: SessionProofs,
  ) {
    const secure = environment === 'production' || baseUrl.startsWith('https:');
    this.base = { httpOnly: true, sameSite: 'lax', secure };
  }

  set(response: Response, pair: TokenPair): void {
    if (this.proofs.areUsed) {
      const maxAge = REFRESH_DAYS * DAY_MS;
      response.cookie(PROOF_COOKIE, this.proofs.of(pair.sessionId), { ...this.base, path: '/', maxAge });
    }
    response.cookie(ACCESS_COOKIE, pair.token, { ...this.base, path: '/', maxAge: (ACCESS_TOKEN_SECONDS + 10) * 1000 });
    response.cookie(REFRESH_COOKIE, pair.refreshToken, {
      ...this.base,
      path: '/api/v1/login',
      maxAge: REFRESH_DAYS * DAY_MS,
    });
  }

  /** Sets the cookies. @returns the body of the response; undefined when a web page wants the cookies only, with the status 204. */
  deliver(response: Response, pair: TokenPair, cookiesOnly = false): TokenPairResponse | undefined {
    this.set(response, pair);
    if (!cookiesOnly) return { token: pair.token, refresh_token: pair.refreshToken };
    response.status(204);
    return undefined;
  }

  /** @param device the id from the device's previous cookie; null for a new device. */
  rememberDevice(
    ctx: RequestContext,
    response: Response,
    { email, device }: { email: string; device: string | null },
  ): void {
    response.cookie(DEVICE_COOKIE, this.devices.issue(ctx, email, device), {
      ...this.base,
      path: '/api/v1/login',
      maxAge: DEVICE_COOKIE_DAYS * DAY_MS,
    });
  }

  clear(response: Response): void {
    if (this.proofs.areUsed) response.clearCookie(PROOF_COOKIE, { ...this.base, path: '/' });
    response.clearCookie(ACCESS_COOKIE, { ...this.base, path: '/' });
    response.clearCookie(REFRESH_COOKIE, { ...this.base, path: '/api/v1/login' });
  }
}
