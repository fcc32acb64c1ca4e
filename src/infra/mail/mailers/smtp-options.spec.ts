import { adviceOn, smtpOptions } from './smtp-options';

const requiresTls = (url: string, isProduction = true): boolean =>
  new URL(smtpOptions({ url, baseUrl: 'https://x.example', isProduction }).url).searchParams.get('requireTLS') ===
  'true';
const nameOf = (baseUrl: string): string => smtpOptions({ url: 'smtp://h', baseUrl, isProduction: true }).name;

describe('smtpOptions', () => {
  // red when: TLS is used only when the server offers it
  it.each([
    ['smtp://mail.example.com', true],
    ['smtp://ann:secret@mail.example.com:587', true],
    ['smtp://ann:secret@mail.example.com?requireTLS=false', true],
    ['smtp://192.0.2.1:25', true],
    ['smtp://mail.example.com?host=localhost', true],
    ['smtp://mail.example.com?ignoreTLS=true', false],
    ['smtps://mail.example.com', false],
    ['smtp://localhost:1025', false],
    ['smtp://127.0.0.1:1025', false],
    ['smtp://[::1]:1025', false],
  ])('of %s in production require STARTTLS: %s', (url, isRequired) => {
    expect(requiresTls(url)).toBe(isRequired);
  });

  it('require STARTTLS outside production only for credentials', () => {
    expect(requiresTls('smtp://mail:1025', false)).toBe(false);
    expect(requiresTls('smtp://ann:secret@mail:1025', false)).toBe(true);
  });

  it('preserve credentials and options of the URL', () => {
    const url = 'smtp://ann%40x:p%2Fw%23@mail.example.com:587/?tls.rejectUnauthorized=false';
    expect(smtpOptions({ url, baseUrl: 'https://x.example', isProduction: true }).url).toBe(`${url}&requireTLS=true`);
  });

  it.each([
    ['https://agate.example.com/base', 'agate.example.com'],
    ['http://192.0.2.1:3000', '[192.0.2.1]'],
    ['http://[2001:db8::1]:3000', '[IPv6:2001:db8::1]'],
  ])('name this client in EHLO after %s', (baseUrl, name) => {
    expect(nameOf(baseUrl)).toBe(name);
  });
});

describe('adviceOn', () => {
  it.each([
    [{ code: 'ESOCKET', originalCode: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, 'NODE_EXTRA_CA_CERTS'],
    [{ code: 'ESOCKET', originalCode: 'ERR_TLS_CERT_ALTNAME_INVALID' }, 'another host name'],
    [{ code: 'ETLS', command: 'STARTTLS' }, 'ignoreTLS=true'],
    [{ code: 'EAUTH', command: 'AUTH PLAIN' }, 'rejects the login'],
  ])('says what to do about %j', (error, advice) => {
    expect(adviceOn(error)).toContain(advice);
  });

  it('is null for other errors', () => {
    expect(adviceOn(new Error('x'))).toBeNull();
  });
});
