import { type CookieOptions, type Response } from 'express';
import { type HttpConfig, type RuntimeConfig } from '#infra/config/config';
import { KeyedDigest } from '#infra/crypto/keyed-digest';
import { SessionProofs } from '../credentials/session-proofs';
import { type DeviceCookies } from '../login/device-cookies';
import { SessionCookies } from './session-cookies';

// red when: the environment or the base URL is ignored
it.each([
  ['production', 'http://localhost:3000', true],
  ['production', 'https://agate.example.com', true],
  ['development', 'https://agate.example.com', true],
  ['development', 'http://localhost:3000', false],
])('SessionCookies in %s at %s sets Secure to %s', (environment, baseUrl, secure) => {
  const cookies: CookieOptions[] = [];
  const cookie = (_name: string, _value: string, options: CookieOptions): unknown => cookies.push(options);
  const response = { cookie, clearCookie: (_name: string, options: CookieOptions) => cookies.push(options) };
  const http = { baseUrl } as HttpConfig;
  const proofs = new SessionProofs(http, new KeyedDigest(Buffer.alloc(32)));
  const session = new SessionCookies(http, { environment } as RuntimeConfig, {} as DeviceCookies, proofs);
  session.set(response as unknown as Response, { sessionId: 'x', token: 'a', refreshToken: 'b' });
  session.clear(response as unknown as Response);
  expect(cookies).toHaveLength(baseUrl.startsWith('https:') ? 6 : 4);
  expect(new Set(cookies.map((options) => options.secure))).toEqual(new Set([secure]));
});
