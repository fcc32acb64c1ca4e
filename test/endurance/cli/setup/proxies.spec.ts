import { type Developer, type ProjectRef } from '../../../support/actors/actors';
import { TestApp } from '../../../support/app/test-app';
import { AgateCli, type CliResult } from '../../../support/cli/agate-cli';
import { takeFreePort } from '../../../support/processes/free-port';
import { ConnectProxy } from '../../../support/servers/proxies/connect-proxy';
import { TlsFront } from '../../../support/servers/proxies/tls-front';

const LOGIN = 'ann:pass:word';

describe('The command line behind a proxy', () => {
  let app: TestApp;
  let front: TlsFront;
  let proxy: ConnectProxy;
  let cli: AgateCli;
  let ann: Developer;
  let project: ProjectRef;

  beforeAll(async () => {
    const port = await takeFreePort();
    front = await TlsFront.startBefore(`http://127.0.0.1:${port}`);
    // The addresses of parts begin with BASE_URL, so that they lead through the proxy, too.
    app = await TestApp.start({ environment: { PORT: String(port), BASE_URL: front.url } });
    proxy = await ConnectProxy.start(LOGIN);
    ann = await app.developer();
    project = await ann.createsProject(await ann.createsOrganization());
    cli = await AgateCli.create({ AGATE_URL: front.url, AGATE_TOKEN: await ann.createsToken(project) });
    cli.write('authority.pem', front.certificate);
  });
  afterAll(async () => {
    cli?.remove();
    await front?.stop();
    await proxy?.stop();
    await app?.stop();
  });
  beforeEach(() => proxy.connected.splice(0));

  const upload = (environment: Record<string, string>): Promise<CliResult> =>
    cli.run(['doctor', '--upload', '--json'], {
      environment: { NODE_EXTRA_CA_CERTS: `${cli.work}/authority.pem`, ...environment },
    });
  const withLogin = (): string =>
    `http://${LOGIN.replace(/:(.*)/, (_all, word: string) => `:${encodeURIComponent(word)}`)}@${proxy.host}`;

  it('sends requests and parts through it', async () => {
    const { code, json, stderr } = await upload({ HTTPS_PROXY: withLogin() });
    expect([code, stderr]).toEqual([0, '']);
    expect(json()).toMatchObject({
      checks: expect.arrayContaining([expect.objectContaining({ name: 'upload', state: 'ok' })]),
    });
    // More than one part.
    cli.write('app.dmg', Buffer.alloc(9_000_000, 1));
    const args = ['upload', 'app.dmg', '--version', '1.0', '--platform', 'macos'];
    const sent = proxy.sentBytes;
    const uploaded = await cli.run(args, {
      environment: { NODE_EXTRA_CA_CERTS: `${cli.work}/authority.pem`, HTTPS_PROXY: withLogin() },
    });
    expect(uploaded).toMatchObject({ code: 0, stdout: expect.stringContaining('/install/') });
    expect(proxy.sentBytes - sent).toBeGreaterThan(9_000_000);
    expect(new Set(proxy.connected)).toEqual(new Set([new URL(front.url).host]));
  });

  it('does not use it for the hosts of NO_PROXY', async () => {
    const { code } = await upload({ HTTPS_PROXY: withLogin(), NO_PROXY: 'example.com,localhost' });
    expect([code, proxy.connected]).toEqual([0, []]);
  });

  it('does not connect directly when the proxy fails', async () => {
    const unreachable = await upload({ HTTPS_PROXY: 'http://127.0.0.1:9' });
    expect(unreachable.code).toBe(3);
    expect(unreachable.stdout).toContain('No secure connection');
    const rejected = await upload({ https_proxy: proxy.url });
    expect(rejected.stdout).toContain('the proxy responded with status 407');
    expect(proxy.connected).toEqual([]);
  });

  it('rejects an invalid address of a proxy, and shows no password', async () => {
    const { code, json } = await cli.run(['testers', 'list', '--json'], {
      environment: { HTTPS_PROXY: 'socks5://proxy.example.com' },
    });
    expect(code).toBe(2);
    expect(json()).toMatchObject({
      message: expect.stringContaining('HTTPS_PROXY is not the address of an HTTP proxy'),
    });
    const { stdout, stderr } = await upload({ HTTPS_PROXY: withLogin(), AGATE_DEBUG: '1' });
    expect(stdout + stderr).not.toMatch(/pass:word|pass%3Aword/);
  });
});
