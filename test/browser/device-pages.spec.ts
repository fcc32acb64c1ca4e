import { type Browser } from 'playwright-core';
import { type Developer, type ProjectRef, randomEmail, scope } from '../support/actors/actors';
import { type ReachableApp } from '../support/app/reachable-app';
import { Phone } from '../support/artifacts/phone';
import { ipa } from '../support/artifacts/valid-artifacts';
import { startAppForBrowser } from './app-for-browser';
import { launchChromium, READERS, Visit } from './browser';

/** The pages on which testers register their devices, in the real service. The phone's settings are played by openssl. */
describe('the pages that register a device', () => {
  let browser: Browser;
  let app: ReachableApp;
  let ann: Developer;
  let project: ProjectRef;
  let link: string;
  const phone = new Phone('2b6f0cc904d137be2e1730235f5664094b831186');
  beforeAll(async () => {
    [browser, app] = await Promise.all([launchChromium(), startAppForBrowser({})]);
    ann = await app.developer();
    project = await ann.createsProject(await ann.createsOrganization(), 'Tidewater Labs');
    const build = await ann.uploads(project, { bytes: ipa(), fileName: 'Demo.ipa' });
    const email = randomEmail();
    const { body } = await ann.post(`/testers?${scope(project)}`, { email, name: 'Tess' }).expect(201);
    const invite = `/testers/${(body as { id: string }).id}/invite?${scope(project)}`;
    await ann.post(invite, { build_id: build.id }).expect(204);
    link = /http\S*\/install\/[\w-]{43}/.exec((await app.mailbox.latest(email)).text ?? '')![0];
  });
  afterAll(async () => {
    phone.remove();
    await browser?.close();
    await app?.stop();
  });

  it('lead from the install page through the profile back to an answer, and list the device', async () => {
    const visit = await (await Visit.start(browser, { reader: READERS.iphone })).open(link);
    const { page } = visit;
    await page.locator('[data-device="unknown"]').getByRole('link').click();
    await page.getByRole('heading', { level: 1, name: 'Register your iPhone or iPad' }).waitFor();
    await visit.expectAccessible('device-page');
    const address = await page.getByRole('link', { name: 'I agree: load the profile' }).getAttribute('href');
    const profile = await (await fetch(new URL(address!, link))).text();
    const [, ticket] = /<key>Challenge<\/key><string>([^<]+)</.exec(profile)!;
    const answered = await fetch(new URL(`/install/devices/${ticket}`, link), {
      method: 'POST',
      headers: { 'Content-Type': 'application/pkcs7-signature' },
      body: new Uint8Array(phone.answer(ticket!)),
      redirect: 'manual',
    });
    await visit.open(answered.headers.get('location')!);
    await page.getByText('You get a mail as soon as a version of Tidewater Labs includes it.').waitFor();
    await visit.expectAccessible('device-receipt');
    await page.getByRole('link', { name: 'Back to the app' }).click();
    await page.locator('[data-device="missing"]').waitFor();
    await visit.expectAccessible('device-answer');
    await visit.open(`${link}/device?lang=de`);
    await page.getByLabel('Name des Geräts').fill('Mein iPhone');
    await page.getByRole('button', { name: 'Name speichern' }).click();
    await page.getByRole('heading', { name: 'Mein iPhone' }).waitFor();
    await visit.expectAccessible('device-own');
    await page.getByRole('button', { name: 'Dieses Gerät entfernen' }).click();
    await page.getByRole('heading', { name: 'Mein iPhone' }).waitFor({ state: 'detached' });
    visit.expectNoProblems();
    await visit.end();
  });

  it('show a code on a computer, and the profile on an iPad that calls itself a Mac', async () => {
    for (const [reader, shown, hidden] of [
      ['mac', 'img', 'a.button.primary'],
      ['ipad', 'a.button.primary', 'img'],
    ] as const) {
      const visit = await (await Visit.start(browser, { reader: READERS[reader] })).open(`${link}/device`);
      await visit.page.locator(`.action ${shown}`).waitFor();
      expect(await visit.page.locator(`.action ${hidden}`).isVisible()).toBe(false);
      visit.expectNoProblems();
      await visit.end();
    }
  });
});
