import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type Browser } from 'playwright-core';
import { randomEmail } from '../support/actors/actors';
import { launchChromium, READERS, Visit } from './browser';
import { type ReachableApp, startReachableApp } from './reachable-app';

/** Collects what the framed page tells. */
const framing = (address: string): string =>
  `<!doctype html><link rel="icon" href="data:,"><script>addEventListener('message', ({ origin, data }) => (window.told = { origin, ...data }))</script>
  <iframe src="${address}/api/v1/captcha"></iframe>`;

async function serve(html: () => string): Promise<{ origin: string; server: Server }> {
  const server = createServer((_request, response) =>
    response.writeHead(200, { 'Content-Type': 'text/html' }).end(html()),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

describe('the captcha', () => {
  let browser: Browser;
  let app: ReachableApp;
  let dashboard: string;
  let stranger: string;
  const servers: Server[] = [];
  beforeAll(async () => {
    const sites = await Promise.all([serve(() => framing(app.address)), serve(() => framing(app.address))]);
    servers.push(...sites.map(({ server }) => server));
    [dashboard, stranger] = sites.map(({ origin }) => origin) as [string, string];
    const environment = { CAPTCHA_PROVIDER: 'altcha', DASHBOARD_ORIGINS: dashboard };
    [browser, app] = await Promise.all([launchChromium(), startReachableApp(environment)]);
  });
  afterAll(async () => {
    for (const server of servers) server.close().closeAllConnections();
    await browser?.close();
    await app?.stop();
  });

  // red when: `frame-ancestors` leaves the dashboard out, or the script needs more than its policy allows
  it('is solved in a frame of the dashboard, and lets somebody sign up', async () => {
    const seen = await Visit.start(browser);
    await seen.open(dashboard);
    await seen.page.waitForFunction('window.told', undefined, { timeout: 60_000 });
    const told = await seen.page.evaluate<{ origin: string; type: string; captcha: string }>('window.told');
    expect(told).toMatchObject({ origin: app.address, type: 'agate.captcha' });
    const signUp = { email: randomEmail(), password: 'correct horse battery staple' };
    await app.anonymous.post('/api/v1/developers').send(signUp).expect(400);
    await app.anonymous
      .post('/api/v1/developers')
      .send({ ...signUp, captcha: told.captcha })
      .expect(202);
    seen.expectQuiet();
    await seen.end();
  });

  // red when: `frame-ancestors` lets everybody in
  it('is framed by nobody else', async () => {
    const seen = await Visit.start(browser);
    await Promise.all([
      seen.page.waitForEvent('console', (message) => message.text().includes('frame-ancestors')),
      seen.page.goto(stranger),
    ]);
    expect(await seen.page.evaluate('window.told')).toBeUndefined();
    await seen.end();
  });

  it('is solved while somebody writes their address into our own form', async () => {
    const seen = await Visit.start(browser, { reader: READERS.iphone });
    await seen.open(`${app.address}/api/v1/developers/reset_password`);
    const button = seen.page.locator('[type=submit]:enabled');
    await button.waitFor({ timeout: 60_000 });
    expect([await seen.overflow(), await seen.barriers()]).toEqual([0, []]);
    await seen.picture('captcha-forgotten');
    await seen.page.getByLabel('E-mail address').fill(randomEmail());
    await Promise.all([seen.page.waitForEvent('load'), button.click()]);
    expect(await seen.page.locator('h1').textContent()).toBe('Look in your inbox');
    seen.expectQuiet();
    await seen.end();
  });

  it('says on its own page what it is doing', async () => {
    const seen = await Visit.start(browser, { reader: READERS.iphone });
    await seen.open(`${app.address}/api/v1/captcha`);
    expect([await seen.overflow(), await seen.barriers()]).toEqual([0, []]);
    await seen.picture('captcha');
    seen.expectQuiet();
    await seen.end();
  });
});
