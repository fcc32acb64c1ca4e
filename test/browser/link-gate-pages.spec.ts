import { type Browser } from 'playwright-core';
import { type BuildJson, type Developer, type ProjectRef, randomEmail, scope } from '../support/actors/actors';
import { createsLink, type LinkJson, LinkVisitor } from '../support/actors/link-visitor';
import { type ReachableApp } from '../support/app/reachable-app';
import { apkOf, ipaOf } from '../support/artifacts/app-artifacts';
import { startAppForBrowser } from './app-for-browser';
import { launchChromium, type Look, READERS, Visit } from './browser';

const PASSWORD = 'sunny harbour';
const FACTS = { name: 'Rocket', bundleId: 'com.example.rocket', version: '1.2.3', buildNumber: 42 };
const TERMS = `Confidential preview\n\n1. Do not share this app, pictures of it, or this link.\n2. ${'Send what you find to the team. '.repeat(20)}`;
const PHONES: readonly Look[] = [
  { colorScheme: 'light', width: 390 },
  { colorScheme: 'dark', width: 390 },
];
const LANGUAGES = ['en', 'de'] as const;
/** The installer of iOS, which sends no cookie and reads the file by HEAD and ranges. */
const ITUNES = { 'User-Agent': 'itunesstored/1.0 iOS/18.6 model/iPhone15,2 build/22G86 (6; dt:280)' };

describe('the pages before a link with rules opens', () => {
  let browser: Browser;
  let app: ReachableApp;
  let ann: Developer;
  let project: ProjectRef;
  let android: BuildJson;
  let ios: BuildJson;
  const visits: Visit[] = [];
  beforeAll(async () => {
    const environment = { RATE_LIMIT_FACTOR: '1', TRUST_PROXY: '127.0.0.1', CAPTCHA_PROVIDER: 'none' };
    [browser, app] = await Promise.all([launchChromium(), startAppForBrowser(environment)]);
    ann = await app.developer();
    project = await ann.createsProject(await ann.createsOrganization('Tidewater Labs'), 'Rocket');
    android = await ann.uploads(project, { bytes: apkOf(FACTS), fileName: 'rocket.apk' });
    ios = await ann.uploads(project, { bytes: ipaOf(FACTS), fileName: 'rocket.ipa' });
  });
  afterEach(async () => {
    const ended = visits.splice(0);
    await Promise.all(ended.map((visit) => visit.end()));
    for (const visit of ended) visit.expectNoProblems();
  });
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
  });

  const linkWith = (rules: object, build = android): Promise<LinkJson> =>
    createsLink(ann, project, { build_id: build.id, ...rules });
  const visitorOf = async (
    reader: 'android' | 'iphone' = 'android',
    { address = '', javaScript = true } = {},
  ): Promise<Visit> => {
    const visit = await Visit.start(browser, { reader: READERS[reader], javaScript });
    if (address !== '')
      await visit.page.context().setExtraHTTPHeaders({ 'X-Forwarded-For': address, 'Sec-CH-UA-Platform': '"Android"' });
    visits.push(visit);
    return visit;
  };
  const submits = async ({ page }: Visit, field: string, text: string): Promise<void> => {
    await page.getByLabel(field, { exact: true }).fill(text);
    await page.getByRole('button').last().click();
  };
  /** A form that is answered with an error status. Chromium logs the status. */
  const forgives = (visit: Visit, status: number): void => {
    expect(visit.problems.splice(0)).toEqual([expect.stringContaining(`status of ${status}`)]);
  };

  it.each(LANGUAGES)('say what is missing, in each theme, in %s', async (language) => {
    const ended = await linkWith({ max_downloads: 1 });
    await app.sql('UPDATE link_rule SET used_downloads = 1 WHERE invite_id = $1', [ended.id]);
    const expired = await linkWith({ expires_at: '2090-01-01T00:00:00Z' });
    await app.sql(`UPDATE link_rule SET expires_at = now() WHERE invite_id = $1`, [expired.id]);
    const pages = [
      ['password', await linkWith({ access: 'password', password: PASSWORD }), 200],
      ['sign-in', await linkWith({ access: 'sign_in' }), 200],
      ['members', await linkWith({ access: 'members' }), 200],
      ['terms', await linkWith({ terms: TERMS }), 200],
      ['expired', expired, 404],
      ['used-up', ended, 404],
    ] as const;
    for (const reader of ['android', 'iphone'] as const) {
      const visit = await visitorOf(reader);
      for (const [name, link, status] of pages) {
        await visit.open(`${link.install_url}?lang=${language}`, status);
        const { page } = visit;
        expect([name, (await page.content()).includes('Rocket')]).toEqual([name, false]);
        await visit.expectAccessible(`gate-${name}-${reader}-${language}`, { looks: PHONES });
      }
    }
  });

  // red when: a form has no field of this name, or the answer of a wrong password is another page
  it('open with the password, also without script, and then to the installer of iOS', async () => {
    const link = await linkWith({ access: 'password', password: PASSWORD, terms: TERMS }, ios);
    const visit = await visitorOf('iphone', { javaScript: false });
    const { page } = visit;
    await visit.open(link.install_url);
    await submits(visit, 'Password', 'rainy harbour');
    await page.getByRole('alert').getByText('This password is wrong.').waitFor();
    forgives(visit, 404);
    await visit.screenshot('gate-password-wrong');
    await submits(visit, 'Password', PASSWORD);
    await page.getByText('Confidential preview').waitFor();
    await page.getByRole('button', { name: 'Accept and continue' }).click();
    const install = page.locator('.action a[href^="itms-services:"]').first();
    const manifest = new URL(
      (await install.getAttribute('href'))!
        .replace(/^.*url=/, '')
        .replace(/%([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    );
    const installer = new LinkVisitor(app.address, ITUNES);
    const plist = await installer.get(manifest.pathname);
    expect(plist.status).toBe(200);
    const file = new URL(/<string>(http[^<]*\/download\/[^<]*)<\/string>/.exec(plist.text)![1]!).pathname;
    const range = { Range: 'bytes=0-99' };
    expect([(await installer.head(file)).status, (await installer.get(file)).status]).toEqual([200, 200]);
    expect((await installer.get(file, range)).status).toBe(206);
  });

  it('ask for a check after five wrong passwords, which a browser solves by itself', async () => {
    const link = await linkWith({ access: 'password', password: PASSWORD });
    const visit = await visitorOf('android', { address: '198.51.100.7' });
    await visit.open(link.install_url);
    for (let n = 0; n < 5; n++) {
      await submits(visit, 'Password', 'rainy harbour');
      await visit.page.getByRole('alert').waitFor();
    }
    visit.problems.splice(0);
    await visit.page.locator('[data-captcha]').waitFor();
    await visit.expectAccessible('gate-password-too-many', { looks: PHONES });
    await submits(visit, 'Password', PASSWORD);
    await visit.page.waitForURL((url) => url.pathname.includes('/g/'), { timeout: 60_000 });
    await visit.page.locator('.action a.button.primary:visible').first().waitFor();
  });

  it('open with the code that was mailed to a tester', async () => {
    const email = randomEmail();
    await ann.post(`/testers?${scope(project)}`, { email, name: 'Tess' }).expect(201);
    const link = await linkWith({ access: 'sign_in' });
    const visit = await visitorOf('android', { address: '198.51.100.8' });
    const { page } = visit;
    await visit.open(link.install_url);
    await submits(visit, 'E-mail address', email);
    await page.getByRole('heading', { name: 'Enter the code' }).waitFor();
    await visit.expectAccessible('gate-code', { looks: PHONES });
    const code = /\d{6}/.exec((await app.mailbox.latest(email)).subject ?? '')![0];
    await submits(visit, 'Code', code === '111111' ? '222222' : '111111');
    await page.getByRole('alert').getByText('This code is wrong or has expired.').waitFor();
    forgives(visit, 404);
    await visit.screenshot('gate-code-wrong');
    await submits(visit, 'Code', `${code.slice(0, 3)} ${code.slice(3)}`);
    await page.waitForURL((url) => url.pathname.includes('/g/'));
    await page.locator('.action a.button.primary:visible').first().waitFor();
    const { items } = (await ann.get(`/links?${scope(project)}&build_id=${android.id}`).expect(200)).body as {
      items: (LinkJson & { downloads: number; testers: number })[];
    };
    const href = await page.locator('.action a.button.primary:visible').first().getAttribute('href');
    await new LinkVisitor(app.address).get(new URL(href!, app.address).pathname);
    expect(items.find(({ id }) => id === link.id)).toMatchObject({ downloads: 0, testers: 0 });
  });
});
