import { type Browser } from 'playwright-core';
import { qrCodeSvg } from '../../src/modules/install/page/qr-code';
import { type BuildJson } from '../support/actors/actors';
import { type ReachableApp } from '../support/app/reachable-app';
import { apkOf, ipaOf } from '../support/artifacts/app-artifacts';
import { startAppForBrowser } from './app-for-browser';
import { launchChromium, type ReaderName, READERS, Visit } from './browser';

const PRIMARY = '.action:visible a.button.primary';

/** The install pages of the real service on each kind of device. */
describe('the install page of a build', () => {
  let browser: Browser;
  let app: ReachableApp;
  let ios: BuildJson;
  let android: BuildJson;
  let windows: BuildJson;
  beforeAll(async () => {
    [browser, app] = await Promise.all([launchChromium(), startAppForBrowser()]);
    const ann = await app.developer();
    const project = await ann.createsProject(await ann.createsOrganization(), 'Tidewater Labs');
    const facts = {
      name: 'Harbour',
      bundleId: 'com.example.harbour',
      version: '2.4.0',
      buildNumber: 318,
    };
    const notes = { notes: 'Tide tables work offline.' };
    ios = await ann.uploads(project, { bytes: ipaOf(facts), fileName: 'Harbour.ipa' }, notes);
    android = await ann.uploads(project, { bytes: apkOf(facts), fileName: 'Harbour.apk' }, notes);
    const installer = { bytes: Buffer.from('MZ, or so it says'), fileName: 'Harbour Setup.exe' };
    windows = await ann.uploads(project, installer, { version: '2.4.0', platform: 'windows' });
  });
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
  });

  const openPage = async (reader: ReaderName, build: BuildJson, options = {}): Promise<Visit> =>
    (await Visit.start(browser, { reader: READERS[reader], ...options })).open(build.install_url);

  const loadedWidth = (visit: Visit, image: string): Promise<number> =>
    visit.page.evaluate<number>(`document.querySelector('${image}').naturalWidth`);

  /** Expects a page without overflow, accessibility issues and errors, and ends the visit. */
  async function expectFit(visit: Visit, name: string): Promise<void> {
    expect(await visit.overflow()).toBe(0);
    expect(await visit.accessibilityIssues()).toEqual([]);
    await visit.screenshot(`real-${name}`);
    visit.expectNoProblems();
    await visit.end();
  }

  it.each(['iphone', 'ipad'] as const)('installs an iOS app on an %s with one tap', async (reader) => {
    const visit = await openPage(reader, ios);
    expect(await visit.page.locator('h1').textContent()).toBe('Harbour');
    expect(await visit.page.title()).toBe('Install Harbour 2.4.0');
    expect(await visit.page.locator(PRIMARY).textContent()).toContain('Install');
    expect(await visit.page.locator(PRIMARY).getAttribute('href')).toBe(
      `itms-services://?action=download-manifest&url=${encodeURIComponent(`${ios.install_url}/manifest.plist`)}`,
    );
    expect(await visit.page.locator('.scan:visible').count()).toBe(0);
    expect(await loadedWidth(visit, 'img.app-icon')).toBeGreaterThan(0);
    await expectFit(visit, reader);
  });

  // red when: a Mac is mistaken for an iPad, or an iPad for a Mac
  it('shows a QR code for an iOS app on a Mac', async () => {
    const visit = await openPage('mac', ios);
    expect(await visit.page.locator(PRIMARY).count()).toBe(0);
    const src = await visit.page.locator('.scan:visible img').getAttribute('src');
    const code = await visit.page.request.get(new URL(src!, app.address).href);
    expect(await code.text()).toBe(await qrCodeSvg(ios.install_url));
    expect(await loadedWidth(visit, '.scan img')).toBeGreaterThan(0);
    await visit.page.getByRole('link', { name: 'I am on an iPad or iPhone' }).click();
    await visit.page.locator(PRIMARY).waitFor();
    expect(await visit.page.locator(PRIMARY).getAttribute('href')).toMatch(/^itms-services:/);
    await expectFit(visit, 'mac-that-says-ipad');
  });

  it('copies its address to the clipboard', async () => {
    const visit = await openPage('windows', ios);
    await visit.page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: app.address });
    await visit.page.getByRole('button', { name: 'Copy link' }).click();
    await visit.page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await visit.page.evaluate('navigator.clipboard.readText()')).toBe(ios.install_url);
    await expectFit(visit, 'windows');
  });

  it.each([
    ['android', () => android, 'Harbour.apk'],
    ['windows', () => windows, 'Harbour Setup.exe'],
  ] as const)('downloads the file on %s', async (reader, build, fileName) => {
    const visit = await openPage(reader, build());
    const [download] = await Promise.all([visit.page.waitForEvent('download'), visit.page.locator(PRIMARY).click()]);
    expect(download.suggestedFilename()).toBe(fileName);
    expect(await download.failure()).toBeNull();
    await expectFit(visit, `${reader}-download`);
  });

  it('asks the reader to leave an in-app browser', async () => {
    const visit = await openPage('instagram', ios);
    expect(await visit.page.locator('.callout').first().textContent()).toContain('The browser inside Instagram cannot');
    expect(await visit.page.locator(PRIMARY).count()).toBe(0);
    expect(await visit.page.getByRole('textbox', { name: 'Link to this page' }).inputValue()).toBe(ios.install_url);
    await expectFit(visit, 'instagram');
  });

  // red when: a feature needs `page.browser.js`
  it.each([
    ['iphone', () => ios, PRIMARY],
    ['android', () => android, PRIMARY],
    ['windows', () => windows, PRIMARY],
    ['ipad', () => ios, 'a:text("I am on an iPad or iPhone")'],
    ['windows', () => ios, '.scan img'],
  ] as const)('works on %s without JavaScript', async (reader, build, needed) => {
    const visit = await openPage(reader, build(), { javaScript: false });
    expect(await visit.page.locator(needed).isVisible()).toBe(true);
    expect(await visit.page.locator('[data-scripted]:visible').count()).toBe(0);
    await visit.screenshot(`real-${reader}-without-script`);
    visit.expectNoProblems();
    await visit.end();
  });

  it('says that an unknown link does not work', async () => {
    const visit = await Visit.start(browser, { reader: READERS.iphone, colorScheme: 'dark' });
    await visit.open(`${ios.install_url}x`, 404);
    expect(await visit.page.locator('h1').textContent()).toBe('This link does not work');
    await expectFit(visit, 'not-found');
  });
});
