import { decode } from 'jsonwebtoken';
import { type AppRequest } from '#infra/http/request/app-request';

export const ACCESS_COOKIE = 'dfdeveloper';
export const REFRESH_COOKIE = 'dfdeveloper_refresh';

/** The value of a cookie; undefined when it is absent. */
export const cookieOf = (request: AppRequest, name: string): unknown =>
  (request.cookies as Record<string, unknown> | undefined)?.[name];

export const refreshCookieOf = (request: AppRequest): unknown => cookieOf(request, REFRESH_COOKIE);

/** The credential of a request. */
export interface Credential {
  readonly value: string;
  readonly fromCookie: boolean;
}

/** Reads the credential. An `Authorization` header takes precedence over the cookie, even when it is malformed. */
export function credentialOf(request: AppRequest): Credential | null {
  const header = request.get('authorization');
  if (header !== undefined) {
    const value = /^Bearer +([^\s]+) *$/i.exec(header)?.[1];
    return { value: value ?? '', fromCookie: false };
  }
  const cookie = cookieOf(request, ACCESS_COOKIE);
  return typeof cookie === 'string' && cookie !== '' ? { value: cookie, fromCookie: true } : null;
}

/** When the access JWT of an authenticated request expires; null for other credentials. */
export function credentialExpiry(request: AppRequest): Date | null {
  const claims = decode(credentialOf(request)?.value ?? '', { json: true });
  return claims?.exp === undefined ? null : new Date(claims.exp * 1000);
}
