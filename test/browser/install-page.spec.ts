import { type Browser } from 'playwright-core';
import { apkOf, ipaOf } from '../support/artifacts/app-artifacts';
import { qrCodeSvg } from '../../src/modules/install/page/qr-code';
import { type BuildJson } from '../support/actors/actors';
import { launchChromium, type ReaderName, READERS, Visit } from './browser';
import { type ReachableApp, startReachableApp } from './reachable-app';

const PRIMARY = '.action:visible a.button.primary';

/** The real service, seen from each device (contract §9). */
describe('the install page', () => {
  let browser: Browser;
  let app: ReachableApp;
  let ios: BuildJson;
  let android: BuildJson;
  let windows: BuildJson;
  beforeAll(async () => {
    [browser, app] = await Promise.all([launchChromium(), startReachableApp()]);
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

  const visit = (reader: ReaderName, build: BuildJson, options = {}): Promise<Visit> =>
    Visit.start(browser, { reader: READERS[reader], ...options }).then((started) => started.open(build.install_url));

  const drawnWidth = (seen: Visit, image: string): Promise<number> =>
    seen.page.evaluate<number>(`document.querySelector('${image}').naturalWidth`);

  async function expectFit(seen: Visit, name: string): Promise<void> {
    expect(await seen.overflow()).toBe(0);
    expect(await seen.barriers()).toEqual([]);
    await seen.picture(`real-${name}`);
    seen.expectQuiet();
    await seen.end();
  }

  it.each(['iphone', 'ipad'] as const)('offers an iOS app to an %s with one tap', async (reader) => {
    const seen = await visit(reader, ios);
    expect(await seen.page.locator('h1').textContent()).toBe('Harbour');
    expect(await seen.page.title()).toBe('Install Harbour 2.4.0');
    expect(await seen.page.locator(PRIMARY).textContent()).toContain('Install');
    expect(await seen.page.locator(PRIMARY).getAttribute('href')).toBe(
      `itms-services://?action=download-manifest&url=${encodeURIComponent(`${ios.install_url}/manifest.plist`)}`,
    );
    expect(await seen.page.locator('.scan:visible').count()).toBe(0);
    expect(await drawnWidth(seen, 'img.app-icon')).toBeGreaterThan(0);
    await expectFit(seen, reader);
  });

  // red when: a Mac is taken for an iPad, or the other way round
  it('offers it to a Mac as a code for the phone beside it', async () => {
    const seen = await visit('mac', ios);
    expect(await seen.page.locator(PRIMARY).count()).toBe(0);
    const src = await seen.page.locator('.scan:visible img').getAttribute('src');
    const code = await seen.page.request.get(new URL(src!, app.address).href);
    expect(await code.text()).toBe(await qrCodeSvg(ios.install_url));
    expect(await drawnWidth(seen, '.scan img')).toBeGreaterThan(0);
    await seen.page.getByRole('link', { name: 'I am on an iPad or iPhone' }).click();
    await seen.page.locator(PRIMARY).waitFor();
    expect(await seen.page.locator(PRIMARY).getAttribute('href')).toMatch(/^itms-services:/);
    await expectFit(seen, 'mac-that-says-ipad');
  });

  it('copies its address', async () => {
    const seen = await visit('windows', ios);
    await seen.page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: app.address });
    await seen.page.getByRole('button', { name: 'Copy link' }).click();
    await seen.page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await seen.page.evaluate('navigator.clipboard.readText()')).toBe(ios.install_url);
    await expectFit(seen, 'windows');
  });

  it.each([
    ['android', () => android, 'Harbour.apk'],
    ['windows', () => windows, 'Harbour Setup.exe'],
  ] as const)('gives %s the file', async (reader, build, fileName) => {
    const seen = await visit(reader, build());
    const [download] = await Promise.all([seen.page.waitForEvent('download'), seen.page.locator(PRIMARY).click()]);
    expect(download.suggestedFilename()).toBe(fileName);
    expect(await download.failure()).toBeNull();
    await expectFit(seen, `${reader}-download`);
  });

  it('sends the reader of another app’s browser to their own', async () => {
    const seen = await visit('instagram', ios);
    expect(await seen.page.locator('.callout').first().textContent()).toContain('The browser inside Instagram cannot');
    expect(await seen.page.locator(PRIMARY).count()).toBe(0);
    expect(await seen.page.getByRole('textbox', { name: 'Link to this page' }).inputValue()).toBe(ios.install_url);
    await expectFit(seen, 'instagram');
  });

  // red when: something needs `page.browser.js`
  it.each([
    ['iphone', () => ios, PRIMARY],
    ['android', () => android, PRIMARY],
    ['windows', () => windows, PRIMARY],
    ['ipad', () => ios, 'a:text("I am on an iPad or iPhone")'],
    ['windows', () => ios, '.scan img'],
  ] as const)('works on %s without JavaScript', async (reader, build, needed) => {
    const seen = await visit(reader, build(), { javaScript: false });
    expect(await seen.page.locator(needed).isVisible()).toBe(true);
    expect(await seen.page.locator('[data-scripted]:visible').count()).toBe(0);
    await seen.picture(`real-${reader}-without-script`);
    seen.expectQuiet();
    await seen.end();
  });

  it('says that a link does not work', async () => {
    const seen = await Visit.start(browser, { reader: READERS.iphone, colorScheme: 'dark' });
    await seen.open(`${ios.install_url}x`, 404);
    expect(await seen.page.locator('h1').textContent()).toBe('This link does not work');
    await expectFit(seen, 'not-found');
  });
});
