import { type HttpConfig } from '#infra/config/config';
import { WebhookHosts } from './webhook-hosts';

const HTTP = { baseUrl: 'https://agate.example', installBaseUrl: 'https://i.agate.example', port: 3000 } as HttpConfig;
const hosts = (...allowedHosts: string[]) => new WebhookHosts({ allowedHosts }, HTTP);

describe('WebhookHosts', () => {
  it('accepts public hosts over https', () => {
    for (const url of ['https://hooks.example.com/a?b=c', 'https://hooks.example.com:8443/', 'https://8.8.8.8/'])
      expect(hosts().require(url).href).toBe(url);
  });

  it('rejects http, unless the operator exempts the host or has exempted a network', () => {
    const reason = { details: { reason: 'webhook_not_https' } };
    expect(() => hosts('other.lan').require('http://mattermost.lan/')).toThrow(
      expect.objectContaining(reason) as Error,
    );
    expect(hosts('mattermost.lan').require('http://mattermost.lan:22/').port).toBe('22');
    expect(hosts('10.0.0.0/8').require('http://mattermost.lan/').hostname).toBe('mattermost.lan');
  });

  // red when: an exemption of a network opens the service itself to webhooks
  it.each([
    'https://agate.example/',
    'https://I.agate.example:8443/',
    'http://127.0.0.1:3000/',
    'http://localhost:3000/',
    'http://localhost.:3000/',
    'https://agate.example./',
    'https://i.agate.example.:8443/',
    'http://[::ffff:127.0.0.1]:3000/',
    'http://[::ffff:7f00:1]:443/',
    'http://0x7f.1:3000/',
    'http://2130706433:3000/',
    'http://0177.0.0.1:3000/',
    'http://１２７.0.0.1:3000/',
  ])('rejects %s, which is this service', (url) => {
    const reason = { details: { reason: 'webhook_own_host' } };
    expect(() => hosts('127.0.0.0/8').require(url)).toThrow(expect.objectContaining(reason) as Error);
  });

  it.each([
    'https://0:8443/',
    'https://0.0.0.0:8443/',
    'https://127.1:8443/',
    'https://0xa9fea9fe/',
    'https://169.254.43518/',
    'https://[::]:8443/',
    'https://[::ffff:8.8.8.8]/',
    'https://[64:ff9b::a00:1]/',
    'https://[2002:a00:1::]/',
    'https://[fe80::1]/',
    'https://[fd00::1]/',
    'https://①⑥⑨.254.169.254/',
  ])('rejects %s, which is not public', (url) => {
    const reason = { details: { reason: 'webhook_not_public' } };
    expect(() => hosts().require(url)).toThrow(expect.objectContaining(reason) as Error);
  });
});
