import { type Browser, type BrowserContext, type Page } from 'playwright-core';
import { type Developer } from '../support/actors/actors';
import { type ReachableApp } from '../support/app/reachable-app';
import { startAppForBrowser } from './app-for-browser';
import { launchChromium, openOwnPage } from './browser';

/** A session is two cookies, which all tabs of a browser share. */
describe('a session in a browser', () => {
  let browser: Browser;
  let app: ReachableApp;
  let ann: Developer;
  let profile: BrowserContext;
  beforeAll(async () => {
    [browser, app] = await Promise.all([launchChromium(), startAppForBrowser()]);
    ann = await app.developer();
  });
  beforeEach(async () => {
    profile = await browser.newContext();
  });
  afterEach(() => profile.close());
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
  });

  const tab = async (): Promise<Page> => {
    const page = await profile.newPage();
    await openOwnPage(page, app.address);
    return page;
  };
  const send = (page: Page, method: string, path: string, body?: object): Promise<number> =>
    page.evaluate<number>(
      `fetch('/api/v1${path}', { method: '${method}', headers: { 'Content-Type': 'application/json' }${
        body ? `, body: ${JSON.stringify(JSON.stringify(body))}` : ''
      } }).then((response) => response.status)`,
    );
  const logIn = (page: Page): Promise<number> =>
    send(page, 'POST', '/login/email', { email: ann.email, password: ann.password });
  const sentCookies = async (page: Page, path: string): Promise<string[]> => {
    const [request] = await Promise.all([
      page.waitForRequest((sent) => sent.url().endsWith(path)),
      send(page, path.startsWith('/login') ? 'POST' : 'GET', path),
    ]);
    const { cookie = '' } = await request.allHeaders();
    return cookie.split('; ').map((pair) => pair.split('=')[0] ?? '');
  };

  // red when: a cookie is set without HttpOnly, SameSite or its path
  it('starts with a login, and scripts cannot read its cookies', async () => {
    const page = await tab();
    expect(await send(page, 'GET', '/organizations')).toBe(401);
    expect(await logIn(page)).toBe(200);
    expect(await send(page, 'GET', '/organizations')).toBe(200);
    expect(await page.evaluate<string>('document.cookie')).toBe('');
    const kept = (await profile.cookies()).map(({ name, path, httpOnly, sameSite }) => ({
      name,
      path,
      httpOnly,
      sameSite,
    }));
    expect(kept.sort((a, b) => (a.name < b.name ? -1 : 1))).toEqual([
      { name: 'dfdeveloper', path: '/', httpOnly: true, sameSite: 'Lax' },
      { name: 'dfdeveloper_device', path: '/api/v1/login', httpOnly: true, sameSite: 'Lax' },
      { name: 'dfdeveloper_refresh', path: '/api/v1/login', httpOnly: true, sameSite: 'Lax' },
    ]);
  });

  it('sends the refresh token only to the login routes', async () => {
    const page = await tab();
    await logIn(page);
    expect(await sentCookies(page, '/organizations')).toEqual(['dfdeveloper']);
    expect(await sentCookies(page, '/login/refresh')).toContain('dfdeveloper_refresh');
  });

  // red when: the previous refresh token is not accepted for a short time: the slower tab then ends the session of both
  it('survives two tabs that refresh concurrently', async () => {
    const [one, two] = [await tab(), await tab()];
    await logIn(one);
    for (let round = 0; round < 5; round += 1) {
      const statuses = await Promise.all([send(one, 'POST', '/login/refresh'), send(two, 'POST', '/login/refresh')]);
      expect(statuses).toContain(200);
      expect(statuses.filter((status) => status !== 200 && status !== 401)).toEqual([]);
      for (const page of [one, two]) expect(await send(page, 'GET', '/organizations')).toBe(200);
    }
    expect(await send(two, 'POST', '/login/refresh')).toBe(200);
  });

  // red when: logout keeps a cookie, or does not invalidate earlier tokens
  it('ends in every tab and every browser on logout', async () => {
    const [one, two] = [await tab(), await tab()];
    await logIn(one);
    const elsewhere = (await profile.cookies()).find(({ name }) => name === 'dfdeveloper')?.value ?? '';
    expect(await send(two, 'POST', '/login/logout')).toBe(204);
    // The cookie of a known device stays; it is not a credential.
    expect((await profile.cookies()).map(({ name }) => name)).toEqual(['dfdeveloper_device']);
    for (const page of [one, two]) {
      expect(await send(page, 'GET', '/organizations')).toBe(401);
      expect(await send(page, 'POST', '/login/refresh')).toBe(401);
    }
    await profile.addCookies([{ name: 'dfdeveloper', value: elsewhere, url: app.address }]);
    expect(await send(one, 'GET', '/organizations')).toBe(401);
    expect(await logIn(one)).toBe(200);
    expect(await send(two, 'GET', '/organizations')).toBe(200);
  });
});
