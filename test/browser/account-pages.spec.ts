import { type Browser } from 'playwright-core';
import { randomEmail } from '../support/actors/actors';
import { type ReachableApp } from '../support/app/reachable-app';
import { startAppForBrowser } from './app-for-browser';
import { launchChromium, READERS, Visit } from './browser';

describe.each([true, false])('the pages of mailed links (JavaScript: %s)', (javaScript) => {
  let browser: Browser;
  let app: ReachableApp;
  let visit: Visit;
  beforeAll(async () => {
    [browser, app] = await Promise.all([launchChromium(), startAppForBrowser()]);
  });
  beforeEach(async () => {
    visit = await Visit.start(browser, { reader: READERS.iphone, javaScript });
  });
  afterEach(() => visit.end());
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
  });

  const heading = (): Promise<string | null> => visit.page.locator('h1').textContent();
  const submit = async (fields: Record<string, string>): Promise<void> => {
    for (const [label, value] of Object.entries(fields)) await visit.page.getByLabel(label).fill(value);
    await Promise.all([visit.page.waitForEvent('load'), visit.page.getByRole('button').click()]);
  };
  const logIn = async (email: string, password: string): Promise<number> =>
    (await app.anonymous.post('/api/v1/login/email').send({ email, password })).status;

  it('verify an address, and say so when the link is opened again', async () => {
    const { email } = await app.unverifiedDeveloper();
    const link = (await app.mailbox.link(email)).href;
    await visit.open(link);
    expect(await heading()).toBe('Your e-mail address is verified');
    await visit.open(link);
    expect(await heading()).toBe('Your e-mail address is already verified');
    visit.expectNoProblems();
  });

  it('send a new link when the link is invalid', async () => {
    const { email } = await app.unverifiedDeveloper();
    const link = await app.mailbox.link(email);
    await visit.open(
      link.href.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
      400,
    );
    expect(await heading()).toBe('This verification link no longer works');
    await submit({ 'E-mail address': email });
    expect(await heading()).toBe('Check your inbox');
    await visit.open((await app.mailbox.link(email, 2)).href);
    expect(await heading()).toBe('Your e-mail address is verified');
    visit.expectNoProblems();
  });

  it('reject a common password, then set a new one', async () => {
    const { email, password } = await app.developer(randomEmail());
    await visit.open(`${app.address}/api/v1/developers/reset_password`);
    expect(await heading()).toBe('Forgotten your password?');
    await submit({ 'E-mail address': email });
    expect(await heading()).toBe('Check your inbox');

    const link = (await app.mailbox.link(email, 2)).href;
    await visit.open(link);
    await submit({ 'New password': 'password123' });
    await visit.screenshot(`account-reset-too-easy-${javaScript}`);
    expect(await heading()).toBe('Choose a new password');
    expect(await visit.page.getByRole('alert').textContent()).toBe(
      'This is one of the most common passwords. Choose another one.',
    );
    expect(await logIn(email, password)).toBe(200);

    await submit({ 'New password': 'a sentence to remember' });
    expect(await heading()).toBe('Your new password is set');
    expect([await logIn(email, password), await logIn(email, 'a sentence to remember')]).toEqual([401, 200]);
    await visit.open(link, 400);
    expect(await heading()).toBe('This reset link no longer works');
  });
});
