import { decode } from 'jsonwebtoken';
import { AppError } from '#kernel/errors/app-error';
import { type AppRequest } from '#infra/http/request/app-request';

export const ACCESS_COOKIE = 'dfdeveloper';
export const REFRESH_COOKIE = 'dfdeveloper_refresh';

/** The number of cookies with a name. Several have different domains or paths, and a page of a sibling host may have set all but one. */
const countOf = (request: AppRequest, name: string): number =>
  (request.headers.cookie ?? '')
    .split(';')
    .filter((pair) => pair.split('=', 1)[0]?.replace(/^[ \t]+|[ \t]+$/g, '') === name).length;

export const hasCookie = (request: AppRequest, name: string): boolean => countOf(request, name) > 0;

/** The value of a cookie; undefined when it is absent, and when there are several, because none of them can be trusted. */
export function cookieOf(request: AppRequest, name: string): string | undefined {
  const value = (request.cookies as Record<string, unknown> | undefined)?.[name];
  return typeof value === 'string' && countOf(request, name) === 1 ? value : undefined;
}

export const refreshCookieOf = (request: AppRequest): string | undefined => cookieOf(request, REFRESH_COOKIE);

/** @throws AppError unauthorized when a cookie of the session was sent several times. */
export function requireSingleCookies(request: AppRequest, ...names: readonly string[]): void {
  const name = names.find((each) => countOf(request, each) > 1);
  if (name === undefined) return;
  throw new AppError('unauthorized', {
    message: `The cookie ${name} was sent several times. Delete the cookies of this site and of its parent domain, then log in again.`,
    details: { reason: 'duplicate_cookie' },
  });
}

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
  return cookie ? { value: cookie, fromCookie: true } : null;
}

/** When the access JWT of an authenticated request expires; null for other credentials. */
export function credentialExpiry(request: AppRequest): Date | null {
  const claims = decode(credentialOf(request)?.value ?? '', { json: true });
  return claims?.exp === undefined ? null : new Date(claims.exp * 1000);
}
