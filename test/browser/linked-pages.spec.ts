import { type Browser } from 'playwright-core';
import { apkOf, ipaOf } from '../support/artifacts/app-artifacts';
import {
  type BuildJson,
  type ChannelJson,
  type Developer,
  type ProjectRef,
  randomEmail,
  scope,
} from '../support/actors/actors';
import { launchChromium, type ReaderName, READERS, Visit } from './browser';
import { type ReachableApp, startReachableApp } from './reachable-app';

const PRIMARY = '.action:visible a.button.primary';
const PAYLOAD = `"><img src=x onerror=alert(1)><script>alert(2)</script>{{7*7}}<%= 7*7 %>`;

/** The links of channels and testers in the real service, seen from each device (contract §9). */
describe('the pages of channels and testers', () => {
  let browser: Browser;
  let app: ReachableApp;
  let ann: Developer;
  let project: ProjectRef;
  let beta: ChannelJson;
  let older: BuildJson;
  let ios: BuildJson;
  let android: BuildJson;
  beforeAll(async () => {
    [browser, app] = await Promise.all([launchChromium(), startReachableApp({ TRIAL_CREDIT_MICRO_USD: '500000000' })]);
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
  const uploads = async (make: typeof ipaOf, fileName: string, version: string): Promise<BuildJson> =>
    ann.uploads(project, { bytes: make(factsOf('Harbour', version)), fileName });
  const testerLink = async (channel: ChannelJson, subscribed: boolean): Promise<string> => {
    const email = randomEmail();
    const { body } = await ann.post(`/testers?${scope(project)}`, { email, name: PAYLOAD }).expect(201);
    const id = (body as { id: string }).id;
    if (subscribed)
      await ann.request('put', `/testers/${id}/subscriptions/${channel.id}?${scope(project)}`).expect(200);
    await ann.post(`/testers/${id}/invite?${scope(project)}&channel_id=${channel.id}`).expect(204);
    return /http\S*\/install\/[\w-]{43}/.exec((await app.mailbox.latest(email)).text ?? '')![0];
  };
  const visit = async (reader: ReaderName, url: string, options = {}): Promise<Visit> =>
    (await Visit.start(browser, { reader: READERS[reader], ...options })).open(url);
  async function expectFit(seen: Visit, name: string): Promise<void> {
    expect(await seen.overflow()).toBe(0);
    expect(await seen.barriers()).toEqual([]);
    await seen.picture(`linked-${name}`);
    seen.expectQuiet();
    await seen.end();
  }

  it.each([
    ['iphone', () => ios],
    ['ipad', () => ios],
    ['android', () => android],
  ] as const)('a channel offers %s its own build first', async (reader, build) => {
    const seen = await visit(reader, beta.install_url);
    expect(decodeURIComponent((await seen.page.locator(PRIMARY).getAttribute('href'))!)).toContain(
      `/builds/${build().id}/`,
    );
    expect(await seen.page.locator('.notes:visible').textContent()).toBe('Tide tables work offline.');
    expect(await seen.page.locator('.project:visible').textContent()).toBe('Tidewater Labs · Beta');
    await expectFit(seen, `channel-${reader}`);
  });

  // red when: a Mac is shown what is for an iPad, or nothing leads on from it
  it.each(['mac', 'windows'] as const)('shows %s, which none is for, a code and the way to each', async (reader) => {
    const seen = await visit(reader, beta.install_url);
    expect(await seen.page.locator('.scan:visible').count()).toBe(1);
    expect(await seen.page.locator(PRIMARY).count()).toBe(0);
    await seen.page.locator('.builds[open] a', { hasText: 'Android' }).click();
    expect(seen.page.url()).toBe(`${beta.install_url}/builds/${android.id}`);
    expect(await seen.page.locator('h1:visible').textContent()).toBe('Harbour');
    await expectFit(seen, `channel-${reader}-on`);
  });

  it.each([true, false])('unfolds what was before (JavaScript: %s)', async (javaScript) => {
    const seen = await visit('iphone', beta.install_url, { javaScript });
    await seen.page.locator('summary', { hasText: 'Earlier versions' }).click();
    await seen.page.locator('.builds[open] a').click();
    expect(seen.page.url()).toBe(`${beta.install_url}/builds/${older.id}`);
    expect(await seen.page.locator('.version').textContent()).toContain('2.3.0');
    await seen.page.getByRole('link', { name: 'All versions' }).click();
    expect(seen.page.url()).toBe(beta.install_url);
    await seen.picture(`linked-older-${javaScript}`);
    seen.expectQuiet();
    await seen.end();
  });

  // red when: the form is offered a second time, or needs a script
  it.each([
    ['end the mails', true, true],
    ['end the mails', true, false],
    ['ask for mails', false, false],
  ] as const)('lets a tester %s, once (subscribed: %s, JavaScript: %s)', async (_what, subscribed, javaScript) => {
    const link = await testerLink(beta, subscribed);
    const seen = await visit('android', link, { javaScript });
    const section = seen.page.locator('.participation');
    expect(await section.locator('p').first().textContent()).toContain(
      subscribed ? 'You get a mail about every new version in “Beta”' : 'You get no mails about new versions in “Beta”',
    );
    await seen.picture(`linked-tester-${subscribed}-${javaScript}`);
    await Promise.all([seen.page.waitForEvent('load'), section.getByRole('button').click()]);
    expect(await seen.page.locator('h1').textContent()).toContain(subscribed ? 'unsubscribed' : 'subscribed to');
    if (javaScript) expect(await seen.barriers()).toEqual([]);
    await seen.picture(`linked-tester-${subscribed}-done`);
    await seen.open(link);
    expect(await section.getByRole('button').count()).toBe(0);
    expect(await section.textContent()).toContain('has made its one change already');
    expect(await section.textContent()).toContain(subscribed ? 'You get no mails' : 'You get a mail');
    seen.expectQuiet();
    await seen.end();
  });

  it('changes its language, and stays with it', async () => {
    const seen = await visit('windows', beta.install_url);
    await seen.page.getByRole('link', { name: 'Deutsch' }).click();
    expect(await seen.page.locator('html').getAttribute('lang')).toBe('de');
    await expectNoEnglish(seen);
    await seen.page.locator('.builds[open] a', { hasText: 'Android' }).click();
    expect(await seen.page.locator('html').getAttribute('lang')).toBe('de');
    await expectNoEnglish(seen);
    await expectFit(seen, 'german');
  });
  const expectNoEnglish = async (seen: Visit): Promise<void> =>
    expect(await seen.page.locator('main').innerText()).not.toMatch(/\b(the|your|this|version for|and|link to)\b/i);

  // reliability K5. red when: a template shows one of these with `<%~`
  it('shows names and notes as they are', async () => {
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
      const seen = await visit(reader, channel.install_url);
      expect(await seen.page.locator('h1:visible').textContent()).toBe(PAYLOAD);
      expect(await seen.page.locator('.project:visible').textContent()).toContain(PAYLOAD.slice(0, 60));
      expect(await seen.page.locator('[onerror], [src="x"], script:not([src])').count()).toBe(0);
      expect(await seen.overflow()).toBe(0);
      seen.expectQuiet();
      await seen.end();
    }
  });
});
