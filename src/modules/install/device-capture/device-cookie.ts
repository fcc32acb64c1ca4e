import { type CookieOptions } from 'express';
import { type AppRequest } from '#infra/http/request/app-request';

const PREFIX = 'agate_device_';
const DAYS = 180;
const DAY_MS = 86_400_000;

/** The cookies by which pages recognize this device: one for each project, so that the links of later mails know it, too. */
export type DeviceCookies = Readonly<Record<string, string>>;

export const deviceCookieName = (projectId: string): string => `${PREFIX}${projectId}`;

/** The cookies of devices in a request. */
export const deviceCookiesOf = (request: AppRequest): DeviceCookies =>
  Object.fromEntries(
    Object.entries((request.cookies ?? {}) as Record<string, unknown>).flatMap(([name, value]) =>
      name.startsWith(PREFIX) && typeof value === 'string' ? [[name, value]] : [],
    ),
  );

/** Scripts cannot read it, and only pages of install links get it. */
export const deviceCookieOptions = (installBaseUrl: string): CookieOptions => ({
  httpOnly: true,
  sameSite: 'lax',
  secure: installBaseUrl.startsWith('https:'),
  path: '/install',
  maxAge: DAYS * DAY_MS,
});
