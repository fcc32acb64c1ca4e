import { safeNext } from './next';

describe('the path after a login', () => {
  it.each(['/', '/o/acme?promote=1#top', '/device?code=WDJB-MJHT', '/api/v1/organizations/invitations/accept?token=x'])(
    'is %j when it is a path of this site',
    (next) => {
      expect(safeNext(next)).toBe(next);
    },
  );

  // red when: the text is compared instead of parsed
  it.each([
    undefined,
    '',
    'o/acme',
    'https://evil.example/',
    'javascript:alert(1)',
    '//evil.example/',
    '/\\evil.example/',
    '/\t/evil.example/',
    '/\n/evil.example/',
    '/\r\n\\evil.example/',
    '/.//evil.example/',
    '/api/..//evil.example/',
    '/./\t/evil.example/',
    '/%2e//evil.example/',
    '/login?next=/login',
    '/o/../login',
  ])('is the start page for %j', (next) => {
    expect(safeNext(next)).toBe('/');
  });
});
