import { type Browser } from 'playwright-core';
import { randomEmail } from '../support/actors/actors';
import { launchChromium, READERS, Visit } from './browser';
import { type ReachableApp, startReachableApp } from './reachable-app';

/** What the links of mails open, with and without JavaScript: there is none to miss. */
describe.each([true, false])('the pages of mailed links (JavaScript: %s)', (javaScript) => {
  let browser: Browser;
  let app: ReachableApp;
  let seen: Visit;
  beforeAll(async () => {
    [browser, app] = await Promise.all([launchChromium(), startReachableApp()]);
  });
  beforeEach(async () => {
    seen = await Visit.start(browser, { reader: READERS.iphone, javaScript });
  });
  afterEach(() => seen.end());
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
  });

  const heading = (): Promise<string | null> => seen.page.locator('h1').textContent();
  const submit = async (fields: Record<string, string>): Promise<void> => {
    for (const [label, value] of Object.entries(fields)) await seen.page.getByLabel(label).fill(value);
    await Promise.all([seen.page.waitForEvent('load'), seen.page.getByRole('button').click()]);
  };
  const logIn = async (email: string, password: string): Promise<number> =>
    (await app.anonymous.post('/api/v1/login/email').send({ email, password })).status;

  it('verify an address, once', async () => {
    const { email } = await app.unverifiedDeveloper();
    const link = (await app.mailbox.link(email)).href;
    await seen.open(link);
    expect(await heading()).toBe('Your e-mail address is verified');
    await seen.open(link);
    expect(await heading()).toBe('Your e-mail address is already verified');
    seen.expectQuiet();
  });

  it('send another link where one no longer works', async () => {
    const { email } = await app.unverifiedDeveloper();
    const link = await app.mailbox.link(email);
    await seen.open(
      link.href.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
      400,
    );
    expect(await heading()).toBe('This verification link no longer works');
    await submit({ 'E-mail address': email });
    expect(await heading()).toBe('Look in your inbox');
    await seen.open((await app.mailbox.link(email, 2)).href);
    expect(await heading()).toBe('Your e-mail address is verified');
    seen.expectQuiet();
  });

  it('set a new password, after a try that was too easy', async () => {
    const { email, password } = await app.developer(randomEmail());
    await seen.open(`${app.address}/api/v1/developers/reset_password`);
    expect(await heading()).toBe('Forgotten your password?');
    await submit({ 'E-mail address': email });
    expect(await heading()).toBe('Look in your inbox');

    const link = (await app.mailbox.link(email, 2)).href;
    await seen.open(link);
    await submit({ 'New password': 'password123' });
    await seen.picture(`account-reset-too-easy-${javaScript}`);
    expect(await heading()).toBe('Choose a new password');
    expect(await seen.page.getByRole('alert').textContent()).toBe(
      'This password is one of the commonest passwords. Choose another.',
    );
    expect(await logIn(email, password)).toBe(200);

    await submit({ 'New password': 'a sentence to remember' });
    expect(await heading()).toBe('Your new password is set');
    expect([await logIn(email, password), await logIn(email, 'a sentence to remember')]).toEqual([401, 200]);
    await seen.open(link, 400);
    expect(await heading()).toBe('This reset link no longer works');
  });
});
