import { type Browser } from 'playwright-core';
import {
  type BuildJson,
  type ChannelJson,
  type Developer,
  type ProjectRef,
  randomEmail,
  scope,
} from '../support/actors/actors';
import { type ReachableApp } from '../support/app/reachable-app';
import { apkOf, ipaOf } from '../support/artifacts/app-artifacts';
import { startAppForBrowser } from './app-for-browser';
import { launchChromium, type ReaderName, READERS, Visit } from './browser';

const PRIMARY = '.action:visible a.button.primary';
const PAYLOAD = `"><img src=x onerror=alert(1)><script>alert(2)</script>{{7*7}}<%= 7*7 %>`;

/** The install pages of channels and testers in the real service on each kind of device. */
describe('the install page of a channel or tester', () => {
  let browser: Browser;
  let app: ReachableApp;
  let ann: Developer;
  let project: ProjectRef;
  let beta: ChannelJson;
  let older: BuildJson;
  let ios: BuildJson;
  let android: BuildJson;
  beforeAll(async () => {
    [browser, app] = await Promise.all([launchChromium(), startAppForBrowser({ TRIAL_CREDIT_MICRO_USD: '500000000' })]);
    ann = await app.developer();
    project = await projectNamed('Tidewater Labs');
    beta = await ann.createsChannel(project, 'Beta');
    older = await uploads(ipaOf, 'Harbour.ipa', '2.3.0');
    ios = await uploads(ipaOf, 'Harbour.ipa', '2.4.0');
    android = await uploads(apkOf, 'Harbour.apk', '2.4.1');
    for (const build of [older, ios, android]) await ann.promotes(project, beta, build, 'Tide tables work offline.');
  });
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
  });

  const projectNamed = async (name: string): Promise<ProjectRef> => {
    const organization = await ann.createsOrganization();
    await ann.changesPlan(organization, 'business');
    return ann.createsProject(organization, name);
  };
  const factsOf = (name: string, version: string) => ({
    name,
    bundleId: 'com.example.harbour',
    version,
    buildNumber: Number(version.replaceAll('.', '')),
  });
  const uploads = async (createApp: typeof ipaOf, fileName: string, version: string): Promise<BuildJson> =>
    ann.uploads(project, { bytes: createApp(factsOf('Harbour', version)), fileName });
  const testerLink = async (channel: ChannelJson, subscribed: boolean): Promise<string> => {
    const email = randomEmail();
    const { body } = await ann.post(`/testers?${scope(project)}`, { email, name: PAYLOAD }).expect(201);
    const id = (body as { id: string }).id;
    if (subscribed)
      await ann.request('put', `/testers/${id}/subscriptions/${channel.id}?${scope(project)}`).expect(200);
    await ann.post(`/testers/${id}/invite?${scope(project)}&channel_id=${channel.id}`).expect(204);
    return /http\S*\/install\/[\w-]{43}/.exec((await app.mailbox.latest(email)).text ?? '')![0];
  };
  const openPage = async (reader: ReaderName, url: string, options = {}): Promise<Visit> =>
    (await Visit.start(browser, { reader: READERS[reader], ...options })).open(url);
  /** Expects a page without overflow, accessibility issues and errors, and ends the visit. */
  async function expectFit(visit: Visit, name: string): Promise<void> {
    expect(await visit.overflow()).toBe(0);
    expect(await visit.accessibilityIssues()).toEqual([]);
    await visit.screenshot(`linked-${name}`);
    visit.expectNoProblems();
    await visit.end();
  }

  it.each([
    ['iphone', () => ios],
    ['ipad', () => ios],
    ['android', () => android],
  ] as const)('shows on %s the build for that device first', async (reader, build) => {
    const visit = await openPage(reader, beta.install_url);
    expect(decodeURIComponent((await visit.page.locator(PRIMARY).getAttribute('href'))!)).toContain(
      `/builds/${build().id}/`,
    );
    expect(await visit.page.locator('.notes:visible').textContent()).toBe('Tide tables work offline.');
    expect(await visit.page.locator('.project:visible').textContent()).toBe('Tidewater Labs · Beta');
    await expectFit(visit, `channel-${reader}`);
  });

  // red when: a Mac gets the build for an iPad, or the page has no links to the builds
  it.each(['mac', 'windows'] as const)(
    'shows on %s, which no build is for, a QR code and every build',
    async (reader) => {
      const visit = await openPage(reader, beta.install_url);
      expect(await visit.page.locator('.scan:visible').count()).toBe(1);
      expect(await visit.page.locator(PRIMARY).count()).toBe(0);
      await visit.page.locator('.builds[open] a', { hasText: 'Android' }).click();
      expect(visit.page.url()).toBe(`${beta.install_url}/builds/${android.id}`);
      expect(await visit.page.locator('h1:visible').textContent()).toBe('Harbour');
      await expectFit(visit, `channel-${reader}-on`);
    },
  );

  it.each([true, false])('unfolds the earlier versions (JavaScript: %s)', async (javaScript) => {
    const visit = await openPage('iphone', beta.install_url, { javaScript });
    await visit.page.locator('summary', { hasText: 'Earlier versions' }).click();
    await visit.page.locator('.builds[open] a').click();
    expect(visit.page.url()).toBe(`${beta.install_url}/builds/${older.id}`);
    expect(await visit.page.locator('.version').textContent()).toContain('2.3.0');
    await visit.page.getByRole('link', { name: 'All versions' }).click();
    expect(visit.page.url()).toBe(beta.install_url);
    await visit.screenshot(`linked-older-${javaScript}`);
    visit.expectNoProblems();
    await visit.end();
  });

  // red when: the form is shown for a used link, or needs a script
  it.each([
    ['unsubscribe', true, true],
    ['unsubscribe', true, false],
    ['subscribe', false, false],
  ] as const)('lets a tester %s once (subscribed: %s, JavaScript: %s)', async (_action, subscribed, javaScript) => {
    const link = await testerLink(beta, subscribed);
    const visit = await openPage('android', link, { javaScript });
    const section = visit.page.locator('.subscription-panel');
    expect(await section.locator('p').first().textContent()).toContain(
      subscribed ? 'You get a mail about every new version in “Beta”' : 'You get no mails about new versions in “Beta”',
    );
    await visit.screenshot(`linked-tester-${subscribed}-${javaScript}`);
    const form = section.locator('form[action*="subscribe"]');
    await Promise.all([visit.page.waitForEvent('load'), form.getByRole('button').click()]);
    expect(await visit.page.locator('h1').textContent()).toContain(subscribed ? 'unsubscribed' : 'subscribed to');
    if (javaScript) expect(await visit.accessibilityIssues()).toEqual([]);
    await visit.screenshot(`linked-tester-${subscribed}-done`);
    await visit.open(link);
    expect(await form.count()).toBe(0);
    expect(await section.textContent()).toContain('You already used this link for a change');
    expect(await section.textContent()).toContain(subscribed ? 'You get no mails' : 'You get a mail');
    visit.expectNoProblems();
    await visit.end();
  });

  it.each([true, false])('lets a tester choose platforms and undo the choice (JavaScript: %s)', async (javaScript) => {
    const link = await testerLink(beta, true);
    const visit = await openPage('iphone', link, { javaScript });
    const ticked = visit.page.locator('.choice input:checked');
    // red when: the page asks about platforms for which the project has no builds
    expect(await visit.page.locator('.choice input:visible').count()).toBe(2);
    expect(await ticked.count()).toBe(2);
    await visit.page.getByRole('checkbox', { name: 'Android' }).uncheck();
    if (javaScript) expect(await visit.accessibilityIssues()).toEqual([]);
    await visit.screenshot(`linked-tester-platforms-${javaScript}`);
    const presses = (name: string) =>
      Promise.all([visit.page.waitForEvent('load'), visit.page.getByRole('button', { name }).click()]);
    await presses('Save this choice');
    expect(await visit.page.locator('.message').textContent()).toContain('for: iOS.');
    await presses('Undo');
    await visit.open(link);
    expect(await ticked.count()).toBe(2);
    visit.expectNoProblems();
    await visit.end();
  });

  it('switches to German and keeps the language on other pages', async () => {
    const visit = await openPage('windows', beta.install_url);
    await visit.page.getByRole('link', { name: 'Deutsch' }).click();
    expect(await visit.page.locator('html').getAttribute('lang')).toBe('de');
    await expectNoEnglish(visit);
    await visit.page.locator('.builds[open] a', { hasText: 'Android' }).click();
    expect(await visit.page.locator('html').getAttribute('lang')).toBe('de');
    await expectNoEnglish(visit);
    await expectFit(visit, 'german');
  });
  const expectNoEnglish = async (visit: Visit): Promise<void> =>
    expect(await visit.page.locator('main').innerText()).not.toMatch(/\b(the|your|this|version for|and|link to)\b/i);

  // red when: a template writes a name or notes with `<%~`
  it('shows hostile names and notes as plain text', async () => {
    const hostile = await projectNamed(PAYLOAD);
    const channel = await ann.createsChannel(hostile, PAYLOAD.slice(0, 60));
    const facts = factsOf(PAYLOAD, '1.0.0');
    for (const [bytes, fileName] of [
      [apkOf(facts), 'a.apk'],
      [ipaOf(facts), 'b.ipa'],
    ] as const) {
      const build = await ann.uploads(hostile, { bytes, fileName }, { notes: PAYLOAD });
      await ann.promotes(hostile, channel, build, PAYLOAD);
    }
    for (const reader of ['iphone', 'windows', 'mac'] as const) {
      const visit = await openPage(reader, channel.install_url);
      expect(await visit.page.locator('h1:visible').textContent()).toBe(PAYLOAD);
      expect(await visit.page.locator('.project:visible').textContent()).toContain(PAYLOAD.slice(0, 60));
      expect(await visit.page.locator('[onerror], [src="x"], script:not([src])').count()).toBe(0);
      expect(await visit.overflow()).toBe(0);
      visit.expectNoProblems();
      await visit.end();
    }
  });
});
