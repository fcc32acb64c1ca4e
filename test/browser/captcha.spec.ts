import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type Browser } from 'playwright-core';
import { randomEmail } from '../support/actors/actors';
import { type ReachableApp } from '../support/app/reachable-app';
import { startAppForBrowser } from './app-for-browser';
import { launchChromium, READERS, Visit } from './browser';

/** A page that frames the captcha and stores the message that it posts. */
const framing = (address: string): string =>
  `<!doctype html><link rel="icon" href="data:,"><script>addEventListener('message', ({ origin, data }) => (window.received = { origin, ...data }))</script>
  <iframe src="${address}/api/v1/captcha"></iframe>`;

async function serve(html: () => string): Promise<{ origin: string; server: Server }> {
  const server = createServer((_request, response) =>
    response.writeHead(200, { 'Content-Type': 'text/html' }).end(html()),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

describe('the captcha page', () => {
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
    [browser, app] = await Promise.all([launchChromium(), startAppForBrowser(environment)]);
  });
  afterAll(async () => {
    for (const server of servers) server.close().closeAllConnections();
    await browser?.close();
    await app?.stop();
  });

  // red when: `frame-ancestors` does not contain the dashboard, or the script needs more than the policy allows
  it('posts to the dashboard a solution that is accepted for a signup', async () => {
    const visit = await Visit.start(browser);
    await visit.open(dashboard);
    await visit.page.waitForFunction('window.received', undefined, { timeout: 60_000 });
    const received = await visit.page.evaluate<{ origin: string; type: string; captcha: string }>('window.received');
    expect(received).toMatchObject({ origin: app.address, type: 'agate.captcha' });
    const signUp = { email: randomEmail(), password: 'correct horse battery staple' };
    await app.anonymous.post('/api/v1/developers').send(signUp).expect(400);
    await app.anonymous
      .post('/api/v1/developers')
      .send({ ...signUp, captcha: received.captcha })
      .expect(202);
    visit.expectNoProblems();
    await visit.end();
  });

  // red when: `frame-ancestors` allows every origin
  it('cannot be framed by another origin', async () => {
    const visit = await Visit.start(browser);
    await Promise.all([
      visit.page.waitForEvent('console', (message) => message.text().includes('frame-ancestors')),
      visit.page.goto(stranger),
    ]);
    expect(await visit.page.evaluate('window.received')).toBeUndefined();
    await visit.end();
  });

  it('is not needed by the form for a forgotten password', async () => {
    const visit = await Visit.start(browser, { reader: READERS.iphone });
    await visit.open(`${app.address}/api/v1/developers/reset_password`);
    await visit.page.getByLabel('E-mail address').fill(randomEmail());
    await Promise.all([visit.page.waitForEvent('load'), visit.page.locator('[type=submit]').click()]);
    expect(await visit.page.locator('h1').textContent()).toBe('Check your inbox');
    visit.expectNoProblems();
    await visit.end();
  });

  it('is accessible and fits a phone', async () => {
    const visit = await Visit.start(browser, { reader: READERS.iphone });
    await visit.open(`${app.address}/api/v1/captcha`);
    expect([await visit.overflow(), await visit.accessibilityIssues()]).toEqual([0, []]);
    await visit.screenshot('captcha');
    visit.expectNoProblems();
    await visit.end();
  });
});
