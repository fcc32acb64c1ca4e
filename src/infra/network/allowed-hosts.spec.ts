import { AllowedHosts, isAllowedHostEntry } from './allowed-hosts';

const allowed = new AllowedHosts(['Minio.lan', '10.1.0.0/16', 'fd00:5::/64', '192.168.7.7']);
const to = (host: string, address: string, secure = true): boolean => allowed.allows({ host, address, secure });

describe('AllowedHosts', () => {
  it('allows public addresses only with TLS', () => {
    expect(to('s3.example.com', '8.8.8.8')).toBe(true);
    expect(to('s3.example.com', '8.8.8.8', false)).toBe(false);
    expect(to('s3.example.com', '10.2.0.1')).toBe(false);
  });

  it('allows an exempt host at any address, with or without TLS', () => {
    expect(to('minio.lan', '127.0.0.1', false)).toBe(true);
    expect(to('MINIO.LAN.', '10.9.9.9')).toBe(true);
    expect(to('other.minio.lan', '10.9.9.9')).toBe(false);
    expect(to('minio.lan.example.com', '10.9.9.9')).toBe(false);
  });

  it('allows exempt networks and addresses for any host name', () => {
    expect(to('any.example', '10.1.255.1', false)).toBe(true);
    expect(to('any.example', '192.168.7.7')).toBe(true);
    expect(to('any.example', '192.168.7.8')).toBe(false);
    expect(to('any.example', 'fd00:5::9')).toBe(true);
    expect(to('any.example', 'fd00:6::9')).toBe(false);
  });

  it.each(['minio.lan', 'store', '10.0.0.0/8', '10.0.0.1', 'fd00::/8', '::1'])('accepts the entry %s', (entry) => {
    expect(isAllowedHostEntry(entry)).toBe(true);
  });

  it.each(['', 'http://minio.lan', 'minio.lan:9000', '10.0.0.0/33', '10.0.0.0/x', '10.0.0/8', '*', '*.lan', 'a/b'])(
    'rejects the entry %j',
    (entry) => expect(isAllowedHostEntry(entry)).toBe(false),
  );
});
