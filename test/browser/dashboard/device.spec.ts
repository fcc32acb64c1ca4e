import { type Page } from 'playwright-core';
import { type Developer, type OrganizationRef } from '../../support/actors/actors';
import { type Envelope } from '../../support/checks/routes/route-requests';
import { type Visit } from '../browser';
import { Desk } from './desk';

interface Started {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri_complete: string;
}

describe('the page that connects a program', () => {
  let desk: Desk;
  let ann: Developer;
  let acme: OrganizationRef;
  beforeAll(async () => {
    desk = await Desk.start({ RATE_LIMIT_FACTOR: '1' });
    ann = await desk.app.developer();
    acme = await ann.createsOrganization('Acme');
  });
  afterEach(() => desk.endVisits());
  afterAll(() => desk.stop());

  const start = async (host = 'anns-laptop'): Promise<Started> => {
    const scopes = ['builds:read', 'builds:upload', 'releases:write'];
    return (await desk.app.anonymous.post('/api/v1/login/device').send({ host, scopes }).expect(200)).body as Started;
  };
  /** The scopes of the token, or why the program gets none. */
  const take = async ({ device_code }: Started): Promise<unknown> => {
    const { body } = await desk.app.anonymous.post('/api/v1/login/device/token').send({ device_code });
    const { token, details } = body as Partial<Envelope> & { token?: string };
    return token ?? details?.['reason'];
  };
  const pathOf = ({ verification_uri_complete: address }: Started): string => {
    const { pathname, search } = new URL(address);
    return pathname + search;
  };
  const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true, level: 1 });
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const expectRefusal = (visit: Visit, status: number): void => {
    expect(visit.problems.splice(0)).toEqual([expect.stringContaining(`status of ${status}`)]);
  };

  it('shows the label and the hint of the code as they are written', async () => {
    const visit = await desk.open(ann, '/device');
    const field = visit.page.getByLabel('Code', { exact: true });
    await field.fill('wdjb-mjht');
    const shown = (text: string): Promise<string> => visit.page.getByText(text, { exact: true }).innerText();
    expect(await Promise.all(['Code', 'Eight letters, such as WDJB-MJHT'].map(shown))).toEqual([
      'Code',
      'Eight letters, such as WDJB-MJHT',
    ]);
  });

  it('requires a login first, shows the request with a warning, and connects', async () => {
    const started = await start();
    const visit = await desk.visitor();
    const { page } = visit;
    await desk.go(visit, pathOf(started));
    await heading(page, 'Log in').waitFor();
    await page.getByLabel('E-mail address', { exact: true }).fill(ann.email);
    await page.getByLabel('Password', { exact: true }).fill(ann.password);
    await button(page, 'Log in').click();
    await heading(page, 'Connect anns-laptop?').waitFor();
    await page.getByRole('region', { name: 'Did you start this yourself?' }).getByText(started.user_code).waitFor();
    for (const text of ['anns-laptop', 'See builds', 'Upload builds', 'Promote and withdraw', '127.0.0.1']) {
      await page.getByText(text, { exact: true }).waitFor();
    }
    await desk.expectAccessible(visit, 'device');
    expect(await take(started)).toBe('authorization_pending');
    await button(page, 'Connect').click();
    await heading(page, 'anns-laptop is connected').waitFor();
    expect(await take(started)).toMatch(/^ag_pat_/);
    await page.reload();
    await heading(page, 'anns-laptop is connected').waitFor();
    await button(page, 'Show your tokens').click();
    await page.getByText('agate on anns-laptop', { exact: true }).waitFor();
  });

  it('connects by keyboard, in the chosen organization, after the code was typed', async () => {
    const other = await ann.createsOrganization('Other');
    const started = await start('build-box');
    const visit = await desk.open(ann, '/device');
    const { page } = visit;
    await heading(page, 'Connect a program').waitFor();
    await page.getByLabel('Code', { exact: true }).focus();
    await page.keyboard.type(started.user_code.toLowerCase().replace('-', ''));
    await page.keyboard.press('Enter');
    await heading(page, 'Connect build-box?').waitFor();
    expect(page.url()).toBe(`${desk.app.address}${pathOf(started)}`);
    await page.getByRole('combobox', { name: 'Organization', exact: true }).selectOption('Other');
    await button(page, 'Connect').focus();
    await page.keyboard.press('Enter');
    await heading(page, 'build-box is connected').waitFor();
    const token = (await take(started)) as string;
    await desk.app.ci(token).get(`/builds?organization_id=${other.id}&project_id=${acme.id}`).expect(403);
    const { items } = (await ann.get(`/pats?organization_id=${other.id}`).expect(200)).body as { items: object[] };
    expect(items).toMatchObject([{ name: 'agate on build-box' }]);
  });

  it('rejects the login on cancel', async () => {
    const started = await start();
    const visit = await desk.open(ann, pathOf(started), { language: 'de' });
    const { page } = visit;
    await heading(page, 'anns-laptop verbinden?').waitFor();
    await button(page, 'Verbinden').waitFor();
    await button(page, 'Abbrechen').click();
    await heading(page, 'Die Anmeldung wurde abgebrochen').waitFor();
    expect(await take(started)).toBe('access_denied');
    await desk.expectAccessible(visit, 'device-cancelled');
  });

  it('rejects a wrong code once, and a malformed one without a request', async () => {
    const visit = await desk.open(ann, '/device?code=BBBB-BBBB');
    const { page } = visit;
    const field = page.getByLabel('Code', { exact: true });
    await page.getByText('There is no such code, or it has expired.', { exact: false }).first().waitFor();
    expectRefusal(visit, 404);
    expect(await field.inputValue()).toBe('BBBB-BBBB');
    await desk.expectAccessible(visit, 'device-code');
    await field.fill('AEIOU');
    await button(page, 'Continue').click();
    await page.getByText('A code has eight letters', { exact: false }).first().waitFor();
    expect(await field.inputValue()).toBe('AEIOU');
  });

  it('explains that an account without an organization, or with an unverified address, cannot connect', async () => {
    const started = await start();
    const bob = await desk.app.developer();
    const visit = await desk.open(bob, pathOf(started));
    await visit.page.getByRole('link', { name: 'Create an organization', exact: true }).waitFor();
    expect(await button(visit.page, 'Connect').getAttribute('aria-disabled')).toBe('true');
    const eve = await desk.app.unverifiedDeveloper();
    const unverified = await desk.open(eve, pathOf(started));
    await heading(unverified.page, 'Connect anns-laptop?').waitFor();
    expect(await button(unverified.page, 'Connect').getAttribute('aria-disabled')).toBe('true');
    await button(unverified.page, 'Cancel').click();
    await heading(unverified.page, 'The login was cancelled').waitFor();
    expect(await take(started)).toBe('access_denied');
  });
});
