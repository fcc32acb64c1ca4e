import { setTimeout as sleep } from 'node:timers/promises';
import { type Locator, type Page, type Route } from 'playwright-core';
import { builtDashboard } from '#app/dashboard/dashboard';
import {
  type BuildJson,
  type Developer,
  type OrganizationRef,
  type ProjectRef,
  scope,
} from '../../../support/actors/actors';
import { TestApp } from '../../../support/app/test-app';
import { apk } from '../../../support/artifacts/valid-artifacts';
import { takeFreePort } from '../../../support/processes/free-port';
import { until } from '../../../support/until';
import { type Visit } from '../../browser';
import { Desk, PHONE } from '../desk';

/** Lists poll every 15 s. What appears earlier came through the stream, which takes a second, or some on a busy machine. */
const BY_STREAM = { timeout: 10_000 };
/** The page asks a service that does not answer again after 37 s at most. */
const UNTIL_NEXT_ATTEMPT = { timeout: 90_000 };

const button = (within: Page | Locator, name: string): Locator => within.getByRole('button', { name, exact: true });
const heading = (page: Page, name: string): Locator => page.getByRole('heading', { name, exact: true, level: 1 });
const link = (within: Page | Locator, name: string): Locator => within.getByRole('link', { name, exact: true });
const offline = (page: Page): Locator =>
  page.getByRole('region', { name: 'The service cannot be reached', exact: true });
const focused = (page: Page): Promise<string> => page.evaluate<string>('document.activeElement.textContent');

/** The time at which the page has painted a text. Measured inside of it, because the test's own waiting is slower. */
const paintedAt = (page: Page, text: string): Promise<number> =>
  page.evaluate<number>(`new Promise((resolve) => {
    const look = () => {
      if (!document.querySelector('main').textContent.includes('${text}')) return requestAnimationFrame(look);
      requestAnimationFrame(() => setTimeout(() => resolve(Date.now())));
    };
    look();
  })`);

describe('the frame of the dashboard', () => {
  let desk: Desk;
  let ann: Developer;
  let bob: Developer;
  let organization: OrganizationRef;
  let project: ProjectRef;
  let older: BuildJson;
  let newer: BuildJson;
  const uploads = (version: string, versionCode: number, to = project): Promise<BuildJson> =>
    ann.uploads(to, { bytes: apk({ versionName: version, versionCode }), fileName: 'rocket.apk' });
  const path = (screen: string, place = project): string => `/o/${organization.id}/p/${place.id}/${screen}`;
  const openPalette = async ({ page }: Visit): Promise<Locator> => {
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: 'Search or jump to', exact: true });
    await palette.getByRole('combobox', { name: 'Search or jump to', exact: true }).waitFor();
    return palette;
  };
  const pick = async (visit: Visit, query: string, option: string | RegExp): Promise<void> => {
    const palette = await openPalette(visit);
    await visit.page.keyboard.type(query);
    await palette.getByRole('listbox', { name: 'Results' }).getByRole('option', { name: option }).waitFor();
    await visit.page.keyboard.press('Enter');
    await palette.waitFor({ state: 'detached' });
  };
  /** A second process of the installation, which the test may stop. */
  const startBeside = async (port: number): Promise<TestApp> =>
    TestApp.start({
      beside: desk.app,
      worker: false,
      environment: { PORT: String(port), BASE_URL: `http://localhost:${port}` },
      dashboard: builtDashboard(),
    });

  beforeAll(async () => {
    desk = await Desk.start();
    ann = await desk.app.developer();
    organization = await ann.createsOrganization('Acme');
    await ann.changesPlan(organization, 'business');
    bob = await desk.app.developer();
    await desk.app.sql(`INSERT INTO membership VALUES ($1, $2, '{ADMIN}', now())`, [organization.id, bob.id]);
    project = await ann.createsProject(organization, 'Rocket');
    older = await uploads('2.0.9', 209);
    newer = await uploads('2.1.0', 210);
    for (const name of ['Beta', 'Store']) await ann.createsChannel(project, name);
  });
  afterEach(() => desk.endVisits());
  afterAll(() => desk?.stop());

  it('names its parts, and gives the focus to the heading of each screen', async () => {
    const visit = await desk.open(ann, path('builds'));
    const { page } = visit;
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Skip to content');
    await page.getByRole('navigation', { name: 'Project', exact: true }).waitFor();
    await page.getByRole('navigation', { name: 'Organization', exact: true }).waitFor();
    await button(page, 'Switch organization').waitFor();
    await button(page, 'Account menu').waitFor();
    await until(async () => (await page.title()) === 'Builds · Rocket · Agate');
    await link(page.getByRole('navigation', { name: 'Project', exact: true }), 'Channels').click();
    await heading(page, 'Channels').waitFor();
    await until(async () => (await focused(page)) === 'Channels');
  });

  it('has a palette that finds screens, builds, testers and actions', async () => {
    await ann.post(`/testers?${scope(project)}`, { email: 'tess@example.com' }).expect(201);
    const visit = await desk.open(ann, path('builds'));
    const { page } = visit;
    const palette = await openPalette(visit);
    // The page behind the palette is dimmed.
    await visit.expectAccessible('dashboard-palette', { within: 'dialog[open]' });
    await visit.resize(1280, 'light');
    await page.keyboard.press('Escape');
    await palette.waitFor({ state: 'detached' });

    await pick(visit, '2.1.0', /^2\.1\.0 \(210\)/);
    await page.getByRole('heading', { name: /2\.1\.0 \(210\)$/, level: 1 }).waitFor();
    expect(page.url()).toContain(`/builds/${newer.id}`);

    await pick(visit, 'chan', /^Channels/);
    await heading(page, 'Channels').waitFor();
    await pick(visit, 'tess@', /^tess@example\.com/);
    await page.waitForURL(/\/testers\/[^/]+$/);
    await pick(visit, 'new chan', /^New channel/);
    await page.getByRole('dialog', { name: 'New channel', exact: true }).waitFor();
    await page.keyboard.press('Escape');

    const chooser = page.waitForEvent('filechooser');
    await pick(visit, 'upload', /^Upload build/);
    await chooser;

    const search = await openPalette(visit);
    await page.keyboard.type('zzz');
    await search.getByText('Nothing found').first().waitFor();
    await page.keyboard.press('Escape');
    await page.goto(`${desk.app.address}/account`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await pick(visit, 'audit', /^Audit feed/);
    await page.waitForURL(/\/audit$/);
  });

  it('has a palette that begins with the newest builds, and finds what is typed badly or by another name', async () => {
    const visit = await desk.open(ann, path('builds'));
    const { page } = visit;
    const palette = await openPalette(visit);
    const options = palette.getByRole('listbox', { name: 'Results' }).getByRole('option');
    await options.first().waitFor();
    const groups = palette.getByRole('group');
    for (const [index, name] of ['Recent builds', 'Actions', 'Screens'].entries())
      expect(await groups.nth(index).getAttribute('aria-label')).toBe(name);
    expect(await options.first().textContent()).toBe('2.1.0 (210)Rocket · Android');
    await page.keyboard.press('Escape');
    await palette.waitFor({ state: 'detached' });
    for (const [query, option] of [
      ['bld', /^Builds/],
      ['promte', /^Promote/],
      ['einladen', /^Invite member/],
      ['dark', /^Switch theme/],
      ['dunkel', /^Switch theme/],
      ['lang', /^Deutsch/],
      [`${bob.email.slice(0, 12)}`, new RegExp(bob.email)],
    ] as const) {
      const search = await openPalette(visit);
      await page.keyboard.type(query);
      await search.getByRole('option', { name: option }).first().waitFor();
      await page.keyboard.press('Escape');
      await search.waitFor({ state: 'detached' });
    }
  });

  // red when: a screen is missing in the palette, or one with such letters comes before the channel with the name
  it.each(['en', 'de'] as const)(
    'has a palette that finds every screen by its name in both languages (%s)',
    async (language) => {
      const visit = await desk.open(ann, path('builds'), { language });
      const { page } = visit;
      const field = page.getByRole('dialog').getByRole('combobox');
      const options = page.getByRole('listbox').getByRole('option');
      await page.keyboard.press('Control+k');
      for (const [query, en, de = en] of [
        ['bet', 'BetaRocket'],
        ['store', 'StoreRocket'],
        ['retention', 'Retention', 'Aufbewahrung'],
        ['aufbewahrung', 'Retention', 'Aufbewahrung'],
        ['trash', 'Trash', 'Papierkorb'],
        ['papierkorb', 'Trash', 'Papierkorb'],
        ['devices', 'Devices', 'Geräte'],
        ['geräte', 'Devices', 'Geräte'],
        ['compare', 'Compare builds', 'Builds vergleichen'],
        ['branding', 'Branding', 'Erscheinungsbild'],
        ['delete old', 'Delete old builds', 'Alte Builds löschen'],
        ['webhooks', 'Webhooks'],
        ['agents', 'Agents', 'Agenten'],
        ['upload', 'Upload build', 'Build hochladen'],
        ['members', 'Members', 'Mitglieder'],
      ] as const) {
        await field.fill(query);
        const wanted = language === 'de' ? de : en;
        await options
          .first()
          .and(options.filter({ hasText: wanted }))
          .waitFor();
      }
      await visit.screenshot(`dashboard-palette-members-${language}`);
      await field.fill('trash');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/trash');
      await page.keyboard.press('Control+k');
      await field.fill('delete old');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/builds?delete=1');
    },
  );

  // red when: what was typed is sent in the address of the search
  it('has a palette that tells which token was pasted, without sending it in an address', async () => {
    const { body } = await ann
      .post(`/project-access-tokens?${scope(project)}`, { name: 'Nightly', role: 'UPLOAD_BUILD', expires_at: null })
      .expect(201);
    const { token, last4 } = body as { readonly token: string; readonly last4: string };
    const visit = await desk.open(ann, path('builds'));
    const { page } = visit;
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.url()));
    for (const text of [last4, token, `AGATE_TOKEN=${token}`]) {
      const palette = await openPalette(visit);
      await page.keyboard.insertText(text);
      await palette.getByRole('option', { name: `Nightly Rocket · …${last4}` }).waitFor();
      await page.keyboard.press('Escape');
      await palette.waitFor({ state: 'detached' });
    }
    const palette = await openPalette(visit);
    await page.keyboard.insertText('ag_prj_of_another_organization');
    await palette.getByText('This token belongs to nothing in this organization').first().waitFor();
    expect(sent.filter((request) => /ag_(prj|pat)_/.test(request))).toEqual([]);
  });

  it('opens the palette when its key was pressed before its files were loaded', async () => {
    const visit = await desk.open(ann, path('builds'));
    const { page } = visit;
    await page.route(/static\/commands\./, async (route) => {
      await sleep(1_000);
      await route.continue();
    });
    await page.reload();
    await heading(page, 'Builds').waitFor();
    await openPalette(visit);
  });

  it('copies the screen as curl, and logs out', async () => {
    const visit = await desk.open(ann, path('builds'));
    const { page } = visit;
    await pick(visit, 'curl', 'Copy as curl');
    await page.getByText('Copied', { exact: true }).waitFor();
    // The page itself may not read the clipboard.
    const sheet = await page.context().newPage();
    await sheet.setContent('<textarea></textarea>');
    await sheet.locator('textarea').press('ControlOrMeta+V');
    expect(await sheet.locator('textarea').inputValue()).toBe(
      `curl -H "Authorization: Bearer $AGATE_TOKEN" "${desk.app.address}/api/v1/builds?organization_id=${organization.id}&project_id=${project.id}"`,
    );
    await pick(visit, 'log out', 'Log out');
    await heading(page, 'Log in').waitFor();
    expect(new URL(page.url()).pathname).toBe('/login');
  });

  it('has keys for screens, lists and builds', async () => {
    const visit = await desk.open(ann, path('builds'));
    const { page } = visit;
    await link(page, '2.1.0 (210)').waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts', exact: true }).waitFor();
    await desk.expectAccessible(visit, 'shortcuts');
    await page.keyboard.press('Escape');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await until(async () => (await focused(page)) === '2.0.9 (209)');
    await page.keyboard.press('x');
    await page.getByRole('region', { name: 'Selection', exact: true }).waitFor();
    await page.keyboard.press('k');
    await page.keyboard.press('Enter');
    await page.waitForURL(new RegExp(`/builds/${newer.id}$`));
    await button(page, 'Edit notes').waitFor();
    await page.keyboard.press('e');
    await page.getByRole('textbox', { name: 'What to test', exact: true }).waitFor();
    await page.keyboard.type('gb');
    expect(await page.getByRole('textbox', { name: 'What to test', exact: true }).inputValue()).toContain('gb');
    // Escape leaves the text, which is there again.
    await page.keyboard.press('Escape');
    await button(page, 'Edit notes').waitFor();
    await page.keyboard.press('e');
    expect(await page.getByRole('textbox', { name: 'What to test', exact: true }).inputValue()).toContain('gb');
    await button(page, 'Cancel').click();
    await page.keyboard.press('p');
    const promotion = page.getByRole('dialog', { name: 'Promote 2.1.0 (210)', exact: true });
    await promotion.waitFor();
    // red when: the focus is on the button that closes the dialog
    await page.keyboard.press('Enter');
    expect(await promotion.isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    await promotion.waitFor({ state: 'detached' });
    await page.keyboard.press('g');
    await page.keyboard.press('b');
    await heading(page, 'Builds').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('2.0');
    await page.waitForURL(/q=2\.0$/);
    expect(older.id).not.toBe(newer.id);
  });

  it('has no single keys when they are switched off', async () => {
    const visit = await desk.open(ann, path('builds'));
    const { page } = visit;
    await page.evaluate(`localStorage.setItem('agate.single-keys', 'off')`);
    let chosen = 0;
    page.on('filechooser', () => chosen++);
    for (const key of ['u', 'g', 'c', '?']) await page.keyboard.press(key);
    await openPalette(visit);
    expect(await page.getByRole('dialog').count()).toBe(1);
    expect(chosen).toBe(0);
    expect(new URL(page.url()).pathname).toBe(path('builds'));
  });

  it('keeps language and theme over a reload', async () => {
    const visit = await desk.open(ann, path('builds'));
    const { page } = visit;
    await button(page, 'Account menu').click();
    await page.getByRole('menuitemradio', { name: 'Dark', exact: true }).click();
    await pick(visit, 'deutsch', 'Deutsch');
    await page.getByRole('navigation', { name: 'Projekt', exact: true }).waitFor();
    await page.reload();
    await heading(page, 'Builds').waitFor();
    await button(page.locator('main'), 'Build hochladen').first().waitFor();
    await link(page, 'Kanäle').first().waitFor();
    const { lang, theme } = await page.evaluate<{ lang: string; theme: string }>(
      `({ lang: document.documentElement.lang, theme: document.documentElement.dataset.theme })`,
    );
    expect({ lang, theme }).toEqual({ lang: 'de', theme: 'dark' });
    await page.goto(`${desk.app.address}${path(`builds/${newer.id}`)}`);
    await button(page, 'Freigeben').waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Tastenkürzel', exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').waitFor();
    await page.keyboard.type('abmelden');
    await page.getByRole('option', { name: 'Abmelden' }).click();
    await heading(page, 'Anmelden').waitFor();
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
  });

  // red when: a request of the page goes on when the session has ended, or an event or the end of the stream causes another
  it('ends the requests of a page before it logs out', async () => {
    const visit = await desk.open(ann, path('builds'));
    const { page } = visit;
    const loggedOut = page.waitForResponse(/\/login\/logout$/);
    const found = page.waitForRequest(/\/builds\?.*q=held/);
    await page.route(/\/builds\?.*q=held/, async (route) => {
      await loggedOut;
      await route.continue();
    });
    // The response is late, and meanwhile others change the project, and the service ends the stream.
    await page.route(/\/login\/logout$/, async (route) => {
      await ann.createsChannel(project, 'Late');
      const response = await route.fetch();
      await sleep(3_000);
      await route.fulfill({ response });
    });
    await page.route(/\/login$/, async (route) => {
      await sleep(1_000);
      await route.continue();
    });
    await page.keyboard.press('/');
    await page.keyboard.type('held');
    await found;
    await button(page, 'Account menu').click();
    await page.getByRole('menuitem', { name: 'Log out', exact: true }).click();
    await heading(page, 'Log in').waitFor();
  });

  // red when: the requests of a page that stays after the end of its session wait forever
  it('shows the login when the developer logs out and then stays on the page', async () => {
    const visit = await desk.open(ann, path('builds'));
    const { page } = visit;
    await page.evaluate(`addEventListener('beforeunload', (event) => event.preventDefault())`);
    await button(page, 'Account menu').click();
    await page.getByRole('menuitem', { name: 'Log out', exact: true }).click();
    await until(() => visit.dialogs.length > 0);
    await page.keyboard.press('/');
    await page.keyboard.type('held');
    await heading(page, 'Log in').waitFor();
    visit.dialogs.length = 0;
    visit.allowProblems('status of 401');
  });

  // red when: a mistyped address below an organization gets the page of the service, which has no navigation
  it.each(['nonsense', 'settings/nonsense'])('stays around the mistyped address %s', async (rest) => {
    const visit = await desk.visitor();
    const { page } = visit;
    await desk.logIn(visit, ann);
    await visit.open(`${desk.app.address}/o/${organization.id}/${rest}`, 404);
    await heading(page, 'Not found').waitFor();
    await link(page.getByRole('navigation', { name: 'Organization', exact: true }), 'Members').click();
    await heading(page, 'Members').waitFor();
  });

  // red when: a mistyped address outside of an organization looks like another service
  it('stays around an unknown address, and leads visitors without a session to the dashboard', async () => {
    const visit = await desk.visitor();
    const { page } = visit;
    await visit.open(`${desk.app.address}/x/y`, 404);
    await heading(page, 'This page does not exist').waitFor();
    await desk.logIn(visit, ann);
    await visit.open(`${desk.app.address}/x/y`, 404);
    await heading(page, 'Not found').waitFor();
    await link(page.getByRole('navigation', { name: 'Organization', exact: true }), 'Members').waitFor();
    await visit.open(`${desk.app.address}/o/x`);
    await heading(page, 'Not found').waitFor();
    await link(page.getByRole('navigation', { name: 'Organization', exact: true }), 'Members').waitFor();
    for (const status of [400, 403, 404]) visit.allowProblems(`status of ${status}`);
  });

  it('has its navigation at the lower edge of a phone', async () => {
    const visit = await desk.open(ann, path('builds'), { reader: PHONE });
    const { page } = visit;
    const bar = page.getByRole('navigation', { name: 'Project', exact: true });
    await link(bar, 'Channels').tap();
    await heading(page, 'Channels').waitFor();
    await button(page, 'Search or jump to').tap();
    await page.getByRole('dialog', { name: 'Search or jump to', exact: true }).waitFor();
    expect(await visit.overflow()).toBe(0);
  });

  describe('shows the changes of others', () => {
    it('immediately', async () => {
      const place = await ann.createsProject(organization, 'Live');
      const visit = await desk.open(bob, path('builds', place));
      const { page } = visit;
      await page.getByRole('heading', { name: 'No builds yet', exact: true }).waitFor();
      const build = await uploads('3.0', 300, place);
      await link(page, '3.0 (300)').waitFor(BY_STREAM);
      await ann.delete(`/builds/${build.id}?${scope(place)}&permanently=true`).expect(204);
      await link(page, '3.0 (300)').waitFor({ state: 'detached', ...BY_STREAM });
      // The icon may be requested when its build is deleted already.
      visit.allowProblems('status of 404');
    });

    // red when: a change is not shown that was made after the list was read, and before the stream was open
    it('that were made while the page opened', async () => {
      const place = await ann.createsProject(organization, 'Opening');
      const visit = await desk.visitor();
      const { page } = visit;
      let open: () => void = () => undefined;
      const isCreated = new Promise<void>((resolve) => (open = resolve));
      let requested = 0;
      await page.route('**/api/v1/events?*', async (route) => {
        requested += 1;
        await isCreated;
        await route.continue();
      });
      await desk.logIn(visit, bob);
      await desk.go(visit, path('channels', place));
      await page.getByRole('heading', { name: 'No channels yet', exact: true }).waitFor();
      await ann.createsChannel(place, 'Early');
      await until(() => requested > 0);
      open();
      await page.getByRole('main').getByText('Early', { exact: true }).first().waitFor(BY_STREAM);
    });

    it('within two seconds, also in another process', async () => {
      const port = await takeFreePort();
      const beside = await startBeside(port);
      try {
        const place = await ann.createsProject(organization, 'Two processes');
        const visit = await desk.visitor();
        await desk.logIn(visit, bob);
        await visit.open(`http://localhost:${port}${path('channels', place)}`);
        await visit.page.getByRole('heading', { name: 'No channels yet', exact: true }).waitFor();
        const delays: number[] = [];
        for (const name of ['Alpha', 'Beta', 'Gamma', 'Delta', 'Epsilon']) {
          const painted = paintedAt(visit.page, name);
          await ann.createsChannel(place, name);
          // The change is committed before its response arrives.
          const committedAt = Date.now();
          delays.push((await painted) - committedAt);
        }
        // A busy machine delays some of them.
        delays.sort((one, other) => one - other);
        expect(delays[1]).toBeLessThan(2_000);
      } finally {
        await desk.endVisits();
        await beside.stop();
      }
    });

    it('to a reader of a deleted object', async () => {
      const place = await ann.createsProject(organization, 'Gone');
      const build = await uploads('4.0', 400, place);
      const visit = await desk.open(bob, path(`builds/${build.id}`, place));
      await ann.delete(`/builds/${build.id}?${scope(place)}&permanently=true`).expect(204);
      await heading(visit.page, 'Not found').waitFor(BY_STREAM);
      visit.allowProblems('status of 404');
    });

    // red when: the object is requested again after its event, so that a skeleton replaces what the screen says about it
    it('once to a reader of a deleted object that was requested before its event arrived', async () => {
      const place = await ann.createsProject(organization, 'Gone before');
      const build = await uploads('4.1', 401, place);
      const visit = await desk.visitor();
      const { page } = visit;
      let remove: () => void = () => undefined;
      const isDeleted = new Promise<void>((resolve) => (remove = resolve));
      const streams = ['build.updated', 'build.deleted'];
      await page.route('**/api/v1/events?*', async (route) => {
        await isDeleted;
        const type = streams.shift();
        if (type === undefined) return;
        const event = JSON.stringify({ type, project_id: place.id, build_id: build.id });
        await route.fulfill({ contentType: 'text/event-stream', body: `data: ${event}\n\n` });
      });
      await desk.logIn(visit, bob);
      await desk.go(visit, path(`builds/${build.id}`, place));
      await ann.delete(`/builds/${build.id}?${scope(place)}&permanently=true`).expect(204);
      visit.allowProblems('status of 404');
      remove();
      await heading(page, 'Not found').waitFor();
      await page.evaluate(`new MutationObserver(() => {
        if (!document.querySelector('h1')) document.documentElement.dataset.isBare = 'true';
      }).observe(document, { childList: true, subtree: true })`);
      await until(() => streams.length === 0);
      // The screen of a deleted object requests it within a second after the event.
      await sleep(2_500);
      expect(await page.evaluate('document.documentElement.dataset.isBare')).toBeUndefined();
    });
  });

  describe('during errors', () => {
    it('keeps the shown data while the service is unavailable, and recovers without a reload', async () => {
      const port = await takeFreePort();
      let beside = await startBeside(port);
      const visit = await desk.visitor();
      const { page } = visit;
      await desk.logIn(visit, ann);
      // Files that are requested when the browser is idle. red when: the page reloads although the service does not answer
      const idle: Route[] = [];
      await page.route('**/static/palette.*', (route) => void idle.push(route));
      await visit.open(`http://localhost:${port}${path('builds')}`);
      await link(page, '2.1.0 (210)').waitFor();
      await until(() => idle.length > 0);
      await beside.stop();
      for (const route of idle) await route.abort();
      await page.unroute('**/static/palette.*');
      await offline(page).waitFor();
      expect(await offline(page).count()).toBe(1);
      expect(await link(page, '2.1.0 (210)').count()).toBe(1);
      await visit.screenshot('dashboard-offline');
      beside = await startBeside(port);
      await offline(page).waitFor({ state: 'detached', ...UNTIL_NEXT_ATTEMPT });
      visit.problems.length = 0;
      await desk.endVisits();
      await beside.stop();
    });

    // red when: the screen says that there is a new version, and its button leads to the error page of the browser
    it('waits with a screen whose file does not arrive while the service is unavailable', async () => {
      const visit = await desk.open(ann, path('builds'));
      const { page } = visit;
      await link(page, '2.1.0 (210)').waitFor();
      const aborted = (route: Route): Promise<void> => route.abort();
      await page.route(/\/static\/tokens?[^/]*\.js$/, aborted);
      await page.route('**/project-access-tokens**', aborted);
      await page.route(`**${path('')}**`, aborted);
      const project = page.getByRole('navigation', { name: 'Project', exact: true });
      await link(project, 'Tokens').click();
      await heading(page, 'Waiting for the service').waitFor();
      expect(await page.getByText('A new version of the dashboard').count()).toBe(0);
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await heading(page, 'Tokens').waitFor();
      visit.problems.length = 0;
    });

    it('counts down after a 429, and retries', async () => {
      const visit = await desk.visitor();
      const { page } = visit;
      await desk.logIn(visit, ann);
      await page.route('**/api/v1/builds?**', (route) =>
        route.fulfill({
          status: 429,
          headers: { 'Retry-After': '3' },
          json: { error: 'rate_limited', message: 'Too many requests.', details: { request_id: 'r-1' } },
        }),
      );
      await desk.go(visit, path('builds'));
      await page.getByText(/^Next try in [123] seconds?\.$/).waitFor();
      await page.unroute('**/api/v1/builds?**');
      await link(page, '2.1.0 (210)').waitFor();
      visit.problems.length = 0;
    });

    it.each<[string, string, string | RegExp]>([
      ['the list of projects', '', '**/api/v1/projects?**'],
      ['the overview', 'p/:project', /\/api\/v1\/projects(\?|\/[^/]+\/summary)/],
      ['a build', 'p/:project/builds/:build', '**/api/v1/builds/*-*?**'],
      ['the channels', 'p/:project/channels', '**/api/v1/channels?**'],
      ['the testers', 'p/:project/testers', '**/api/v1/testers?**'],
      ['the tokens', 'p/:project/tokens', '**/api/v1/project-access-tokens?**'],
      ['the members', 'members', '**/api/v1/organizations/*/members?**'],
      ['the audit feed', 'audit', '**/api/v1/audit/organization/*?**'],
      ['billing', 'billing', '**/api/v1/organizations/*/billing?**'],
      ['storage', 'storage', '**/api/v1/organizations/*/byosa'],
    ])('offers on the screen of %s a retry after the seconds of a 503', async (_, screen, request) => {
      const visit = await desk.visitor();
      const { page } = visit;
      await desk.logIn(visit, ann);
      let isAway = true;
      await page.route(request, (route) =>
        isAway
          ? route.fulfill({
              status: 503,
              headers: { 'Retry-After': '1' },
              json: { error: 'service_unavailable', message: 'Overloaded.', details: { request_id: 'r-503' } },
            })
          : route.continue(),
      );
      const place = screen.replace(':project', project.id).replace(':build', newer.id);
      await page.goto(`${desk.app.address}/o/${organization.id}/${place}`);
      await page.getByText('r-503').first().waitFor();
      await page.getByText('Next try in 1 second.', { exact: true }).first().waitFor();
      await button(page, 'Try again').first().waitFor();
      isAway = false;
      await page.getByText('r-503').first().waitFor({ state: 'detached' });
      await page.getByRole('heading', { level: 1 }).waitFor();
      visit.problems.length = 0;
    });

    it('reloads once when a file of an older version is gone', async () => {
      const visit = await desk.open(ann, path('builds'));
      const { page } = visit;
      const channels = link(page.getByRole('navigation', { name: 'Project', exact: true }), 'Channels');
      const screen = /\/static\/channels\.[^/]*\.js$/;
      let loads = 0;
      page.on('load', () => loads++);
      await page.route(screen, (route) => route.fulfill({ status: 404 }));
      // The screen behind a link is loaded when the pointer rests on the link.
      await channels.hover();
      await until(() => loads === 1);
      await channels.click();
      await page.getByText('A new version of the dashboard is available. Reload the page.').waitFor();
      expect(loads).toBe(1);
      await page.unroute(screen);
      await button(page, 'Reload the page').click();
      await heading(page, 'Channels').waitFor();
      visit.problems.length = 0;
    });
  });
});
