import { proxiesOf, proxyFor } from './proxy';

const hostOf = (url: string, environment: Record<string, string>): string | null =>
  proxyFor(new URL(url), proxiesOf(environment))?.host ?? null;

describe('The proxy of an address', () => {
  const HTTPS_PROXY = 'http://proxy.example.com:3128';

  it.each([
    ['https://agate.example.com', {}, null],
    ['https://agate.example.com', { HTTPS_PROXY }, 'proxy.example.com:3128'],
    ['https://agate.example.com', { https_proxy: 'other:1', HTTPS_PROXY }, 'other:1'],
    ['http://agate.example.com', { HTTPS_PROXY }, null],
    ['https://agate.example.com', { HTTP_PROXY: 'plain:1' }, 'plain:1'],
    ['https://agate.example.com', { HTTPS_PROXY, NO_PROXY: 'example.org, .example.com' }, null],
    ['https://agate.example.com', { HTTPS_PROXY, NO_PROXY: '*.example.com' }, null],
    ['https://agate.example.com', { HTTPS_PROXY, NO_PROXY: 'ample.com' }, 'proxy.example.com:3128'],
    ['https://agate.example.com', { HTTPS_PROXY, NO_PROXY: 'agate.example.com:443' }, null],
    ['https://agate.example.com', { HTTPS_PROXY, NO_PROXY: 'agate.example.com:8443' }, 'proxy.example.com:3128'],
    ['https://agate.example.com', { HTTPS_PROXY, NO_PROXY: '*' }, null],
    ['https://agate.example.com', { HTTPS_PROXY, NO_PROXY: '' }, 'proxy.example.com:3128'],
  ])('%s with %j is %s', (url, environment, host) => {
    expect(hostOf(url, environment as Record<string, string>)).toBe(host);
  });

  it.each(['socks5://proxy:1080', 'http://', 'http://[', 'ftp://proxy'])('is rejected when it is %s', (address) => {
    expect(() => proxiesOf({ HTTPS_PROXY: address })).toThrow('HTTPS_PROXY is not the address of an HTTP proxy.');
  });
});
