import { browserNameOf } from './browser-name';

describe('browserNameOf', () => {
  it.each([
    [
      'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Safari/537.36',
      'Chrome',
      'Windows',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Safari/537.36 Edg/142.0',
      'Edge',
      'Windows',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15',
      'Safari',
      'macOS',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/142.0 Mobile Safari/604.1',
      'Chrome',
      'iPhone',
    ],
    ['curl/8.5.0', 'curl', null],
  ])('of %s is %s on %s', (userAgent, program, system) => {
    expect(browserNameOf(userAgent)).toEqual({ program, system });
  });

  // red when: the first word of an unknown program is its name, so that a client can write into a mail
  it.each(['Your password expired, call 0900 Mozilla', '', null, undefined])('is null for %j', (userAgent) => {
    expect(browserNameOf(userAgent)).toBeNull();
  });
});
