import { generate } from 'otplib';
import { type Page } from 'playwright-core';
import { Developer } from '../../../support/actors/actors';
import { type Visit } from '../../browser';
import { Desk, table } from '../desk';

describe('the account in the dashboard', () => {
  let desk: Desk;
  let ann: Developer;
  beforeAll(async () => {
    desk = await Desk.start();
    ann = await desk.app.developer();
    await ann.createsOrganization('Acme');
  });
  afterEach(() => desk.endVisits());
  afterAll(() => desk.stop());

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });

  it('has name, address, password, looks and keys, and keeps them', async () => {
    const visit = await desk.open(ann, '/account');
    const { page } = visit;
    await page.getByRole('heading', { name: 'Account', level: 1, exact: true }).waitFor();
    await field(page, 'Name').fill('Ann Archer');
    await page.keyboard.press('Enter');
    await page.getByText('Your name was saved.').first().waitFor();
    await button(page, 'Dismiss').click();
    await page.getByRole('switch', { name: 'Single keys', exact: true }).uncheck();
    await page.getByRole('radio', { name: 'Dark', exact: true }).check();
    await desk.expectAccessible(visit, 'account');
    await page.reload();
    expect(await page.getByRole('radio', { name: 'Dark', exact: true }).isChecked()).toBe(true);
    expect(await page.getByRole('switch', { name: 'Single keys', exact: true }).isChecked()).toBe(false);
    expect(await field(page, 'Name').inputValue()).toBe('Ann Archer');
  });

  it('mails a link to a new address, after the password', async () => {
    const visit = await desk.open(ann, '/account');
    const { page } = visit;
    await button(page, 'Change e-mail address').click();
    const dialog = page.getByRole('dialog', { name: 'Change e-mail address', exact: true });
    await dialog.getByRole('textbox', { name: 'New e-mail address', exact: true }).fill('new.ann@example.com');
    await dialog.getByRole('textbox', { name: 'Password', exact: true }).fill('not my pass phrase');
    await page.keyboard.press('Enter');
    await dialog.getByText('The password is wrong.').waitFor();
    visit.problems.length = 0;
    await dialog.getByRole('textbox', { name: 'Password', exact: true }).fill(ann.password);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('We sent a link to new.ann@example.com.').first().waitFor();
    await desk.app.mailbox.link('new.ann@example.com');
  });

  it('changes the password and stays logged in', async () => {
    const eve = await desk.app.developer();
    const { page } = await desk.open(eve, '/account');
    await button(page, 'Change password').click();
    const dialog = page.getByRole('dialog', { name: 'Change password', exact: true });
    await dialog.getByRole('textbox', { name: 'Current password', exact: true }).fill(eve.password);
    await dialog.getByRole('textbox', { name: 'New password', exact: true }).fill('another long pass phrase');
    await page.keyboard.press('Enter');
    await page.getByText('Your password was changed. All other sessions have ended.').first().waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Account', level: 1, exact: true }).waitFor();
    await Developer.logIn(desk.app.address, eve.email, 'another long pass phrase');
  });

  /** Opens the set-up of two-factor login, keeps the recovery codes, and fills in the first code. Returns the recovery codes. */
  const setsUp = async (visit: Visit, { password }: Developer): Promise<string[]> => {
    const { page } = visit;
    await button(page, 'Set up two-factor login').click();
    await field(page, 'Password').fill(password);
    await page.keyboard.press('Enter');
    const codes = page.getByRole('list', { name: 'Recovery codes', exact: true }).getByRole('listitem');
    await codes.first().waitFor();
    expect(await codes.count()).toBe(10);
    expect(await button(page, 'Continue').getAttribute('aria-disabled')).toBe('true');
    await page.getByRole('checkbox', { name: 'I have kept them', exact: true }).check();
    expect(await visit.accessibilityIssues()).toEqual([]);
    await visit.screenshot('dashboard-account-recovery-codes');
    const texts = await codes.allTextContents();
    await button(page, 'Continue').click();
    await page.getByRole('img', { name: 'QR code for your authenticator app', exact: true }).waitFor();
    expect(await visit.accessibilityIssues()).toEqual([]);
    await visit.screenshot('dashboard-account-two-factor');
    await field(page, 'Code').fill(await generate({ secret: await field(page, 'Secret').inputValue() }));
    return texts;
  };

  it('sets up two-factor login, and shows the recovery codes before it is on', async () => {
    const max = await desk.app.developer();
    const visit = await desk.open(max, '/account/security');
    const { page } = visit;
    const [code = ''] = await setsUp(visit, max);
    await button(page, 'Turn on').click();
    await page.getByRole('heading', { name: 'Log in', exact: true }).waitFor();
    await field(page, 'E-mail address').fill(max.email);
    await field(page, 'Password').fill(max.password);
    await page.keyboard.press('Enter');
    await field(page, 'Code').fill(code);
    await page.keyboard.press('Enter');
    await button(page, 'Turn off two-factor login').waitFor();
    visit.problems.length = 0;
  });

  // red when: a busy dialog closes, or the codes are shown after the confirmation
  it('keeps the dialog open while two-factor login is turned on', async () => {
    const max = await desk.app.developer();
    const visit = await desk.open(max, '/account/security');
    const { page } = visit;
    let proceed = (): void => undefined;
    const held = new Promise<void>((resolve) => (proceed = resolve));
    await page.route('**/api/v1/developers/me/mfa/confirm', async (route) => {
      await held;
      await route.continue();
    });
    await setsUp(visit, max);
    await button(page, 'Turn on').click();
    const dialog = page.getByRole('dialog', { name: 'Set up two-factor login', exact: true });
    await dialog.locator('[aria-busy=true]').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await button(page, 'Cancel').click({ force: true });
    await button(page, 'Close').click({ force: true });
    await page.mouse.click(5, 5);
    expect(await dialog.isVisible()).toBe(true);
    proceed();
    await page.getByRole('heading', { name: 'Log in', exact: true }).waitFor();
    visit.problems.length = 0;
  });

  // red when: a 401 of the logout is an error
  it('leads to the login when the session has ended, by itself and by "Log out"', async () => {
    const max = await desk.app.developer();
    const visits = [await desk.open(max, '/account/security'), await desk.open(max, '/account')];
    await max.post('/login/logout', {}).expect(204);
    const [security, account] = visits as [Visit, Visit];
    await button(account.page, 'Account menu').click();
    await account.page.getByRole('menuitem', { name: 'Log out', exact: true }).click();
    await account.page.getByRole('heading', { name: 'Log in', exact: true }).waitFor();
    await security.page.reload();
    await security.page.getByRole('heading', { name: 'Log in', exact: true }).waitFor();
    for (const { problems } of visits) problems.length = 0;
  });

  it('lists the sessions, and ends one or all others', async () => {
    const ben = await desk.app.developer();
    await Developer.logIn(desk.app.address, ben.email, ben.password);
    const visit = await desk.open(ben, '/account/security');
    const { page } = visit;
    const rows = table(page, 'Sessions').locator('tbody').getByRole('row');
    await page.getByRole('status').filter({ hasText: '3 sessions' }).waitFor();
    await rows
      .filter({ hasText: 'this session' })
      .filter({ hasText: /Chrome \d+ on Windows/ })
      // red when: the last use is only as exact as "2 months ago"
      .filter({ hasText: /\d+ \w{3} 20\d\d, \d\d:\d\d/ })
      .waitFor();
    await desk.expectAccessible(visit, 'account-security');
    await table(page, 'Sessions')
      .getByRole('button', { name: /^End session:/ })
      .first()
      .click();
    await page.getByRole('status').filter({ hasText: '2 sessions' }).waitFor();
    await button(page, 'End all other sessions').focus();
    await page.keyboard.press('Enter');
    const question = page.getByRole('alertdialog', { name: 'End all other sessions?', exact: true });
    await question.getByRole('button', { name: 'End all other sessions', exact: true }).click();
    await page.getByRole('status').filter({ hasText: '1 session' }).waitFor();
    await question.waitFor({ state: 'detached' });
    expect(await button(page, 'End all other sessions').getAttribute('aria-disabled')).toBe('true');
  });

  it('makes an export of the data', async () => {
    const visit = await desk.open(ann, '/account/data');
    const { page } = visit;
    await button(page, 'Request export').click();
    await field(page, 'Password').fill(ann.password);
    await page.keyboard.press('Enter');
    const link = page.getByRole('link', { name: 'Download archive', exact: true });
    await link.waitFor();
    await desk.expectAccessible(visit, 'account-data');
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
    expect(download.suggestedFilename()).toMatch(/\.zip$/);
  });

  it('names the organizations that would be left without an Admin, and deletes the account of another developer', async () => {
    const visit = await desk.open(ann, '/account/data');
    await button(visit.page, 'Delete account').click();
    const dialog = visit.page.getByRole('dialog', { name: 'Delete account', exact: true });
    await dialog.getByRole('link', { name: 'Acme', exact: true }).waitFor();
    expect(
      await dialog.getByRole('button', { name: 'Delete account', exact: true }).getAttribute('aria-disabled'),
    ).toBe('true');
    await desk.expectAccessible(visit, 'account-delete');

    const zoe = await desk.app.developer();
    const { page } = await desk.open(zoe, '/account/data');
    await button(page, 'Delete account').click();
    await field(page, 'Password').fill(zoe.password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Log in', exact: true }).waitFor();
  });

  it('shows the recovery codes in German', async () => {
    const max = await desk.app.developer();
    const visit = await desk.open(max, '/account/security', { language: 'de' });
    const { page } = visit;
    await button(page, 'Zwei-Faktor-Anmeldung einrichten').click();
    await field(page, 'Passwort').fill(max.password);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Bewahren Sie Ihre Wiederherstellungscodes auf', exact: true }).waitFor();
    await desk.expectAccessible(visit, 'account-recovery-codes-german');
    await page.getByRole('checkbox', { name: 'Ich habe sie aufbewahrt', exact: true }).check();
    await button(page, 'Weiter').click();
    await button(page, 'Einschalten').waitFor();
  });

  it('speaks German', async () => {
    const { page } = await desk.open(ann, '/account', { language: 'de' });
    await page.getByRole('heading', { name: 'Konto', level: 1, exact: true }).waitFor();
    await page.getByRole('link', { name: 'Sicherheit', exact: true }).click();
    await page.getByRole('heading', { name: 'Sicherheit', level: 1, exact: true }).waitFor();
    await page.getByRole('link', { name: 'Ihre Daten', exact: true }).click();
    await page.getByRole('heading', { name: 'Ihre Daten', level: 1, exact: true }).waitFor();
  });
});
