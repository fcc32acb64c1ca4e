import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type Browser, type Page } from 'playwright-core';
import { type Developer } from '../support/actors/actors';
import { TestApp } from '../support/app/test-app';
import { TlsFront } from '../support/servers/proxies/tls-front';
import { launchChromium, openOwnPage } from './browser';

/** A page of a sibling host can set cookies for the parent domain of the service (docs/decisions/0064-what-ends-with-a-session.md). */
describe('a page of a sibling host', () => {
  let browser: Browser;
  let app: TestApp;
  let site: Server;
  let fronts: TlsFront[];
  let ann: Developer;
  let eve: Developer;
  beforeAll(async () => {
    browser = await launchChromium('*.example.test');
    app = await TestApp.start({ environment: { BASE_URL: 'https://agate.example.test' } });
    site = createServer((_request, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>Hi'));
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    const { port } = site.address() as AddressInfo;
    fronts = await Promise.all([app.url, `http://127.0.0.1:${port}`].map((target) => TlsFront.startBefore(target)));
    [ann, eve] = await Promise.all([app.developer(), app.developer()]);
  });
  afterAll(async () => {
    await browser?.close();
    await Promise.all((fronts ?? []).map((front) => front.stop()));
    site?.close();
    await app?.stop();
  });

  const addressOf = (front: TlsFront | undefined, host: string): string => front!.url.replace('localhost', host);
  const visits = async (): Promise<Page> => (await browser.newContext({ ignoreHTTPSErrors: true })).newPage();
  /** Runs requests in a page of the service. */
  const sends = async (
    page: Page,
    method: string,
    path: string,
    body?: object,
  ): Promise<{ status: number; email?: string }> => {
    await openOwnPage(page, addressOf(fronts[0], 'agate.example.test'));
    const init = {
      method,
      headers: { 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    };
    const script = `fetch('/api/v1${path}', ${JSON.stringify(init)}).then(async (response) => ({
      status: response.status, email: (await response.json().catch(() => ({}))).email }))`;
    return page.evaluate(script);
  };
  const me = (page: Page) => sends(page, 'GET', '/developers/me');
  const logsIn = async (page: Page, { email, password }: Developer): Promise<void> => {
    const { status } = await sends(page, 'POST', '/login/email', { email, password, cookies_only: true });
    expect(status).toBe(204);
  };
  /** Opens the page of the sibling host, which sets cookies. */
  const plants = async (page: Page, ...cookies: readonly string[]): Promise<void> => {
    await page.goto(addressOf(fronts[1], 'store.example.test'));
    for (const cookie of cookies) await page.evaluate(`document.cookie = ${JSON.stringify(cookie)}`);
  };

  // red when: requests of browsers need no proof, or the first of two values of a cookie counts
  it('does not put a developer who is logged in into another account', async () => {
    const page = await visits();
    await logsIn(page, ann);
    expect(await me(page)).toMatchObject({ status: 200, email: ann.email });
    const planted = `dfdeveloper=${eve.token}; domain=example.test; path=/api/v1; secure`;
    await plants(page, planted);
    expect((await me(page)).status).toBe(401);
    await plants(page, `${planted}; max-age=0`);
    expect(await me(page)).toMatchObject({ status: 200, email: ann.email });
    expect((await sends(page, 'POST', '/login/refresh', { cookies_only: true })).status).toBe(204);
    await page.context().close();
  });

  it('does not log a visitor in', async () => {
    const page = await visits();
    await plants(
      page,
      `dfdeveloper=${eve.token}; domain=example.test; path=/; secure`,
      `dfdeveloper_refresh=${eve.refreshToken}; domain=example.test; path=/api/v1/login; secure`,
      '__Host-dfdeveloper_session=x; domain=example.test; path=/; secure',
    );
    const names = (await page.context().cookies()).map(({ name }) => name).sort();
    expect(names).toEqual(['dfdeveloper', 'dfdeveloper_refresh']);
    expect((await me(page)).status).toBe(401);
    expect((await sends(page, 'POST', '/login/refresh', { cookies_only: true })).status).toBe(401);
    await page.context().close();
  });
});
