import { type Browser } from 'playwright-core';
import { renderDocuments } from '../../scripts/help/build-help.mjs';
import { type ReachableApp } from '../support/app/reachable-app';
import { startAppForBrowser } from './app-for-browser';
import { launchChromium, LOOKS, READERS, Visit } from './browser';

const ADDRESSES = renderDocuments(`${__dirname}/../..`).pages.map(({ address }) => address);

/** Every kind of content: lists, long tables, code, German, a picture, results, no document. */
const KINDS = ['/help', '/help/installing', '/help/api', '/help/android-verification.de', '/help/search?q=profile'];

describe('the documents at /help in a browser', () => {
  let browser: Browser;
  let app: ReachableApp;
  beforeAll(async () => {
    [browser, app] = await Promise.all([launchChromium(), startAppForBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
  });

  const open = async (address: string, javaScript = true, status = 200): Promise<Visit> => {
    const visit = await Visit.start(browser, { javaScript, reader: READERS.windows });
    return visit.open(app.address + address, status);
  };

  // red when: a table or a line of code makes the page wider than a phone
  it('are never wider than the screen', async () => {
    const visit = await open('/help');
    for (const address of ADDRESSES) {
      await visit.open(app.address + address);
      for (const width of [320, 1280]) {
        await visit.resize(width, 'light');
        expect([address, width, await visit.overflow()]).toEqual([address, width, 0]);
      }
    }
    visit.expectNoProblems();
    await visit.end();
  });

  it.each(KINDS)('are accessible at %s', async (address) => {
    const visit = await open(address);
    await visit.expectAccessible(`help${address.replace(/\W+/g, '-')}`, { looks: LOOKS });
    visit.expectNoProblems();
    await visit.end();
  });

  it('are accessible where a document does not exist', async () => {
    const visit = await open('/help/nonsense', true, 404);
    await visit.expectAccessible('help-missing', { looks: LOOKS });
    await visit.end();
  });

  it('are read and searched without scripts', async () => {
    const visit = await open('/help', false);
    const { page } = visit;
    await page.getByRole('searchbox', { name: 'Search the documents' }).fill('certifcate changed');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'certificate_changed' }).first().click();
    await page.waitForURL('**/help/installing#*');
    expect(await page.locator('tr:has(:target)').textContent()).toContain('certificate_changed');
    const documents = page.getByRole('navigation', { name: 'Documents' });
    await documents.getByRole('link', { name: 'The command line', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'The command line' }).waitFor();
    await visit.end();
  });

  it('open the list of the page, and lead to its parts', async () => {
    const visit = await open('/help/cli');
    const { page } = visit;
    await visit.resize(390, 'light');
    const list = page.getByRole('navigation', { name: 'On this page' });
    expect(await list.getByRole('link', { name: 'Uploads', exact: true }).isVisible()).toBe(false);
    await list.getByText('On this page').click();
    await list.getByRole('link', { name: 'Uploads', exact: true }).click();
    expect(new URL(page.url()).hash).toBe('#uploads');
    await visit.resize(1600, 'light');
    await visit.open(`${app.address}/help/cli`);
    await list.getByRole('link', { name: 'Uploads', exact: true }).waitFor();
    await visit.end();
  });

  it('have the colours that the reader chose in the dashboard', async () => {
    const visit = await open('/help');
    const ground = (): Promise<string> => visit.page.evaluate('getComputedStyle(document.body).backgroundColor');
    const light = await ground();
    await visit.page.context().addCookies([{ name: 'agate_theme', value: 'dark', url: app.address }]);
    await visit.open(`${app.address}/help`);
    const dark = await ground();
    expect(dark).not.toBe(light);
    await visit.resize(1280, 'dark');
    await visit.page.context().addCookies([{ name: 'agate_theme', value: 'light', url: app.address }]);
    await visit.open(`${app.address}/help`);
    expect(await ground()).toBe(light);
    visit.expectNoProblems();
    await visit.end();
  });

  it('are walked by the keyboard, from the skip link on', async () => {
    const visit = await open('/help/mail');
    const { page } = visit;
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('content');
    await visit.end();
  });
});
