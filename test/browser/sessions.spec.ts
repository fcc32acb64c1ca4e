import { type Browser, type BrowserContext, type Page } from 'playwright-core';
import { type Developer } from '../support/actors/actors';
import { launchChromium } from './browser';
import { type ReachableApp, startReachableApp } from './reachable-app';

/** A developer's session as a browser keeps it: two cookies, however many tabs (specification §5; contract §3). */
describe('a session in a browser', () => {
  let browser: Browser;
  let app: ReachableApp;
  let ann: Developer;
  let profile: BrowserContext;
  beforeAll(async () => {
    [browser, app] = await Promise.all([launchChromium(), startReachableApp()]);
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

  /** A tab with a page of the service itself, whose scripts may ask it. */
  const tab = async (): Promise<Page> => {
    const page = await profile.newPage();
    await page.goto(`${app.address}/api/v1/docs`);
    return page;
  };
  const ask = (page: Page, method: string, path: string, body?: object): Promise<number> =>
    page.evaluate<number>(
      `fetch('/api/v1${path}', { method: '${method}', headers: { 'Content-Type': 'application/json' }${
        body ? `, body: ${JSON.stringify(JSON.stringify(body))}` : ''
      } }).then((answer) => answer.status)`,
    );
  const logIn = (page: Page): Promise<number> =>
    ask(page, 'POST', '/login/email', { email: ann.email, password: ann.password });
  const sentCookies = async (page: Page, path: string): Promise<string[]> => {
    const [request] = await Promise.all([
      page.waitForRequest((sent) => sent.url().endsWith(path)),
      ask(page, path.startsWith('/login') ? 'POST' : 'GET', path),
    ]);
    const { cookie = '' } = await request.allHeaders();
    return cookie.split('; ').map((pair) => pair.split('=')[0] ?? '');
  };

  // red when: a cookie is set without HttpOnly, SameSite or its path
  it('begins with a login, and no script can read it', async () => {
    const page = await tab();
    expect(await ask(page, 'GET', '/organizations')).toBe(401);
    expect(await logIn(page)).toBe(200);
    expect(await ask(page, 'GET', '/organizations')).toBe(200);
    expect(await page.evaluate<string>('document.cookie')).toBe('');
    const kept = (await profile.cookies()).map(({ name, path, httpOnly, sameSite }) => ({
      name,
      path,
      httpOnly,
      sameSite,
    }));
    expect(kept.sort((a, b) => (a.name < b.name ? -1 : 1))).toEqual([
      { name: 'dfdeveloper', path: '/', httpOnly: true, sameSite: 'Lax' },
      { name: 'dfdeveloper_refresh', path: '/api/v1/login', httpOnly: true, sameSite: 'Lax' },
    ]);
  });

  it('shows the refresh token to the login routes alone', async () => {
    const page = await tab();
    await logIn(page);
    expect(await sentCookies(page, '/organizations')).toEqual(['dfdeveloper']);
    expect(await sentCookies(page, '/login/refresh')).toContain('dfdeveloper_refresh');
  });

  // red when: the leeway for the predecessor is gone: the slower tab then ends the session of both
  it('survives two tabs that refresh at the same moment, again and again', async () => {
    const [one, two] = [await tab(), await tab()];
    await logIn(one);
    for (let round = 0; round < 5; round += 1) {
      const answers = await Promise.all([ask(one, 'POST', '/login/refresh'), ask(two, 'POST', '/login/refresh')]);
      expect(answers).toContain(200);
      expect(answers.filter((status) => status !== 200 && status !== 401)).toEqual([]);
      for (const page of [one, two]) expect(await ask(page, 'GET', '/organizations')).toBe(200);
    }
    expect(await ask(two, 'POST', '/login/refresh')).toBe(200);
  });

  // red when: logout leaves a cookie behind, or does not raise the floor
  it('ends in every tab and every browser with a logout', async () => {
    const [one, two] = [await tab(), await tab()];
    await logIn(one);
    const elsewhere = (await profile.cookies()).find(({ name }) => name === 'dfdeveloper')?.value ?? '';
    expect(await ask(two, 'POST', '/login/logout')).toBe(204);
    expect(await profile.cookies()).toEqual([]);
    for (const page of [one, two]) {
      expect(await ask(page, 'GET', '/organizations')).toBe(401);
      expect(await ask(page, 'POST', '/login/refresh')).toBe(401);
    }
    await profile.addCookies([{ name: 'dfdeveloper', value: elsewhere, url: app.address }]);
    expect(await ask(one, 'GET', '/organizations')).toBe(401);
    expect(await logIn(one)).toBe(200);
    expect(await ask(two, 'GET', '/organizations')).toBe(200);
  });
});
