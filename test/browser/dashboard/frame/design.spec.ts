import { type Locator, type Page } from 'playwright-core';
import {
  type BuildJson,
  type Developer,
  type OrganizationRef,
  type ProjectRef,
  scope,
} from '../../../support/actors/actors';
import { apk } from '../../../support/artifacts/valid-artifacts';
import { until } from '../../../support/until';
import { type Visit } from '../../browser';
import { Desk } from '../desk';

const button = (within: Page | Locator, name: string): Locator => within.getByRole('button', { name, exact: true });
const heading = (page: Page, name: string): Locator => page.getByRole('heading', { name, exact: true, level: 1 });
const navigation = (page: Page, name: string): Locator => page.getByRole('navigation', { name, exact: true });
/** Of the browser, in which it runs. The tests themselves have no DOM. */
declare const getComputedStyle: (element: unknown) => Readonly<Record<string, string>>;
const styleOf = async (locator: Locator, property: string): Promise<string | undefined> =>
  locator.evaluate((element, name) => getComputedStyle(element)[name], property);

/** The words of labels, headings and buttons that continue on another line. Addresses and names of files may. */
const BROKEN_WORDS = `(() => {
  const broken = [];
  for (const element of document.querySelectorAll('button, a, nav, dt, th, label, h1, h2, h3, legend, p')) {
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { currentNode } = texts;
      if (!currentNode.parentElement.checkVisibility({ visibilityProperty: true })) continue;
      for (const { index, 0: word } of currentNode.data.matchAll(/[\\p{L}]{4,}/gu)) {
        if (/[^\\s(„“,.:;!?)…]/.test(currentNode.data[index + word.length] ?? '') || /[^\\s(„“]/.test(currentNode.data[index - 1] ?? '')) continue;
        const range = document.createRange();
        range.setStart(currentNode, index);
        range.setEnd(currentNode, index + word.length);
        if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) broken.push(word);
      }
    }
  }
  return [...new Set(broken)];
})()`;

describe('the look of the frame and the components', () => {
  let desk: Desk;
  let ann: Developer;
  let bob: Developer;
  let organization: OrganizationRef;
  let project: ProjectRef;
  let build: BuildJson;
  const path = (screen: string): string => `/o/${organization.id}/p/${project.id}/${screen}`;

  beforeAll(async () => {
    desk = await Desk.start();
    ann = await desk.app.developer();
    bob = await desk.app.developer();
    organization = await ann.createsOrganization('Acme');
    await ann.changesPlan(organization, 'business');
    await desk.app.sql(`INSERT INTO membership VALUES ($1, $2, '{READ}', now())`, [organization.id, bob.id]);
    project = await ann.createsProject(organization, 'Rocket');
    await ann.uploads(project, { bytes: apk({ versionCode: 1 }), fileName: 'r.apk' });
    build = await ann.uploads(project, { bytes: apk({ versionCode: 2 }), fileName: 'r.apk' });
    await ann.post(`/testers?${scope(project)}`, { email: 'tess@example.com' }).expect(201);
  });
  afterEach(() => desk.endVisits());
  afterAll(() => desk?.stop());

  // red when: a button that a role may not use has a dashed outline, like the zones for dropped files
  it('shows a button that a role may not use without an outline, with a lock and the reason', async () => {
    const { page } = await desk.open(bob, path('testers'));
    const add = button(page, 'Add testers').first();
    await add.waitFor();
    expect([await styleOf(add, 'borderStyle'), await styleOf(add, 'borderColor')]).toEqual([
      'solid',
      'rgba(0, 0, 0, 0)',
    ]);
    await add.hover();
    await page.getByRole('tooltip').filter({ hasText: 'Needs the role' }).first().waitFor();
  });

  describe('of a table', () => {
    const row = (page: Page, text: string): Locator =>
      page.getByRole('table').first().getByRole('row').filter({ hasText: text });

    // red when: only the link of a row opens it
    it('opens a row by a press anywhere on it, and in a new tab with the key for that', async () => {
      const { page } = await desk.open(ann, path('testers'));
      const tess = row(page, 'tess@example.com');
      await tess.waitFor();
      const opened = page.context().waitForEvent('page');
      await tess
        .getByRole('cell')
        .nth(1)
        .click({ modifiers: ['Control'], position: { x: 5, y: 5 } });
      expect(new URL((await opened).url()).pathname).toMatch(/\/testers\/[^/]+$/);
      await (await opened).close();
      await tess
        .getByRole('cell')
        .nth(1)
        .click({ position: { x: 5, y: 5 } });
      await page.waitForURL(/\/testers\/[^/]+$/);
    });

    it('leaves the controls of a row alone', async () => {
      const { page } = await desk.open(ann, path('builds'));
      await page
        .getByRole('checkbox', { name: /^Select / })
        .first()
        .click();
      await page.getByRole('region', { name: 'Selection', exact: true }).waitFor();
      expect(new URL(page.url()).pathname).toBe(path('builds'));
    });

    // red when: a link in a row is underlined before the pointer is on it, or the table stands on the ground
    it('has no underlined names, on a surface', async () => {
      const { page } = await desk.open(ann, `/o/${organization.id}`);
      const name = page.getByRole('table', { name: 'Projects', exact: true }).getByRole('link', { name: 'Rocket' });
      await name.waitFor();
      expect(await styleOf(name, 'textDecorationLine')).toBe('none');
      const ground = await styleOf(page.locator('body'), 'backgroundColor');
      expect(await styleOf(page.locator('div:has(> table)'), 'backgroundColor')).not.toBe(ground);
    });

    // red when: every time is a stop of the keyboard
    it('has no stops at its times', async () => {
      const { page } = await desk.open(ann, path('builds'));
      await page.locator('main time').first().waitFor();
      expect(await page.locator('main time[tabindex]').count()).toBe(0);
    });
  });

  describe('on a large screen', () => {
    const widthOf = async (page: Page): Promise<{ readonly content: number; readonly left: number }> =>
      page.evaluate(`(() => {
        const main = document.querySelector('main');
        const { paddingLeft, paddingRight } = getComputedStyle(main);
        const [left, right] = [parseFloat(paddingLeft), parseFloat(paddingRight)];
        return { content: main.clientWidth - left - right, left: Math.round(left - right) };
      })()`);

    // red when: the content keeps its width at the left edge, or the edges jump from one screen to the next
    it.each(['builds', 'channels', 'settings'])(
      'gives the screen of %s the width of all, in the middle',
      async (screen) => {
        const visit = await desk.open(ann, path(screen));
        await visit.resize(1920, 'light');
        expect(await widthOf(visit.page)).toEqual({ content: 1408, left: 0 });
        expect(await visit.overflow()).toBe(0);
      },
    );
  });

  describe('of the navigation', () => {
    // red when: the account's screens lose the organization and its projects
    it('stays on the screens of the account, with their tabs and the way back', async () => {
      const { page } = await desk.open(ann, path('builds'));
      for (const [address, tab] of [
        ['/account', 'Account'],
        ['/account/security', 'Security'],
        ['/account/tokens', 'Tokens'],
        ['/account/data', 'Your data'],
      ] as const) {
        await page.goto(desk.app.address + address);
        const current = navigation(page, 'Your account').locator('[aria-current=page]');
        await current.filter({ hasText: tab }).waitFor();
        // red when: the file with the drawings of the screens behind the login is not loaded
        expect(await page.locator('svg.icon path:not([d])').count()).toBe(0);
        await navigation(page, 'Project').getByRole('link', { name: 'Rocket' }).waitFor();
      }
      await navigation(page, 'Project').getByRole('link', { name: 'Rocket' }).click();
      await heading(page, 'Rocket').waitFor();
    });

    // red when: the names of the tabs need a second line
    it('has the tabs of the account in one line on a phone, in German', async () => {
      const visit = await desk.open(ann, '/account', { language: 'de' });
      await visit.resize(390, 'light');
      expect((await navigation(visit.page, 'Ihr Konto').boundingBox())!.height).toBeLessThan(60);
    });

    // red when: an empty navigation surrounds the first steps
    it('is absent in the first steps, until there is a project', async () => {
      const kim = await desk.app.developer();
      const visit = await desk.open(kim, '/');
      const { page } = visit;
      await heading(page, 'Welcome to Agate').waitFor();
      expect(await page.getByRole('navigation').count()).toBe(0);
      expect(await button(page, 'Search or jump to').count()).toBe(0);
      await button(page, 'Account menu').waitFor();
      await page.getByRole('textbox', { name: 'Organization name', exact: true }).fill('Kim & Co');
      await page.keyboard.press('Enter');
      await page.getByRole('textbox', { name: 'Project name', exact: true }).fill('Kite');
      await page.keyboard.press('Enter');
      await navigation(page, 'Project').getByRole('link', { name: 'Kite' }).waitFor();
      await desk.expectAccessible(visit, 'welcome-with-navigation');
    });
  });

  describe('of a slow start', () => {
    // red when: the page is empty until its scripts have arrived
    it.each(['/login', '/account'])('shows the frame of %s before the scripts have arrived', async (address) => {
      const visit = await desk.visitor();
      const { page } = visit;
      if (address !== '/login') await desk.logIn(visit, ann);
      await page.route('**/*.js', () => undefined);
      await page.goto(desk.app.address + address, { waitUntil: 'commit' });
      const logo = page.locator('.boot img');
      await logo.waitFor();
      const { x } = (await logo.boundingBox())!;
      // In the middle before the login, else in the navigation.
      expect(x > 400).toBe(address === '/login');
      await page.unrouteAll({ behavior: 'ignoreErrors' });
    });

    // red when: a screen that is not loaded yet is the word "Loading"
    it('shows the shape of a screen until its script has arrived', async () => {
      const { page } = await desk.open(ann, path('channels'));
      let arrive = (): void => undefined;
      const arrived = new Promise<void>((resolve) => (arrive = resolve));
      await page.route(/\/static\/testers\.[^/]*\.js$/, async (route) => {
        await arrived;
        await route.continue();
      });
      await navigation(page, 'Project').getByRole('link', { name: 'Testers', exact: true }).click();
      await page.locator('.table-bones').waitFor();
      arrive();
      await heading(page, 'Testers').waitFor();
    });
  });

  // red when: the name of the shown screen is wider than the names of the others, and needs a second line
  it.each(['en', 'de'] as const)('keeps each entry of the navigation in one line (%s)', async (language) => {
    const { page } = await desk.open(ann, `/o/${organization.id}/settings`, { language });
    const current = page.locator('nav a[aria-current=page]');
    await current.waitFor();
    expect((await current.boundingBox())!.height).toBeLessThan(32);
  });

  // red when: a label is as narrow as its letters
  it('breaks no word of a label, in German on the smallest phone', async () => {
    const visit = await desk.open(ann, path('builds'), { language: 'de' });
    await visit.resize(320, 'light');
    const broken: Record<string, readonly string[]> = {};
    const screens = ['', 'builds', `builds/${build.id}`, 'channels', 'testers', 'tokens', 'access', 'settings'];
    const ofOrganization = ['', '/members', '/audit', '/billing', '/storage', '/settings'];
    for (const address of [
      ...screens.map(path),
      ...ofOrganization.map((screen) => `/o/${organization.id}${screen}`),
      '/account',
      '/account/security',
      '/account/tokens',
      '/account/data',
      '/welcome',
    ]) {
      await desk.go(visit, address);
      await until(async () => (await visit.page.locator('[aria-busy=true]').count()) === 0);
      const words = await visit.page.evaluate<readonly string[]>(BROKEN_WORDS);
      if (words.length > 0) broken[address.replace(/[0-9a-f-]{36}/g, ':id')] = words;
    }
    expect(broken).toEqual({});
  });

  // red when: the exact time is in the reader's zone only
  it('tells the time in the zone of the reader, and in UTC on focus', async () => {
    const visit: Visit = await desk.visitor();
    await desk.logIn(visit, ann);
    const context = await desk.browser.newContext({ timezoneId: 'Asia/Tokyo', locale: 'en-GB' });
    await context.addCookies(await visit.page.context().cookies());
    const page = await context.newPage();
    await page.goto(`${desk.app.address}${path('testers')}`);
    await page.getByRole('link', { name: 'tess@example.com' }).click();
    const time = page.locator('main dl time[tabindex="0"]').first();
    await time.waitFor();
    await page.keyboard.press('Tab');
    await time.focus();
    const tip = page.getByRole('tooltip').filter({ hasText: 'UTC' }).first();
    await until(() => tip.isVisible());
    expect(await tip.textContent()).toMatch(/ GMT\+9 · .* UTC$/);
    await context.close();
  });
});
