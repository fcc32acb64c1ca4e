import { type AppRequest } from '#infra/http/request/app-request';

export const ACCESS_COOKIE = 'dfdeveloper';
export const REFRESH_COOKIE = 'dfdeveloper_refresh';

/** What a request presents to say who it is, and how it was carried. */
export interface Credential {
  readonly value: string;
  readonly cookie: boolean;
}

/** The bearer header, or else the cookie (contract §3: a bearer header wins). */
export function credentialOf(request: AppRequest): Credential | null {
  const header = request.get('authorization');
  if (header !== undefined) {
    const value = /^Bearer +([^\s]+) *$/i.exec(header)?.[1];
    return { value: value ?? '', cookie: false };
  }
  const cookie = (request.cookies as Record<string, unknown> | undefined)?.[ACCESS_COOKIE];
  return typeof cookie === 'string' && cookie !== '' ? { value: cookie, cookie: true } : null;
}
