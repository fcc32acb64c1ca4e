import { type Developer } from '../../support/actors/actors';
import { Desk } from './desk';

describe('the session in the dashboard', () => {
  let desk: Desk;
  let ann: Developer;
  beforeAll(async () => {
    desk = await Desk.start();
    ann = await desk.app.developer();
    const organization = await ann.createsOrganization('Acme');
    await ann.createsProject(organization, 'Rocket');
  });
  afterEach(() => desk.endVisits());
  afterAll(() => desk.stop());

  const logIn = async (page: import('playwright-core').Page, password = ann.password): Promise<void> => {
    await page.getByRole('textbox', { name: 'E-mail address', exact: true }).fill(ann.email);
    await page.getByRole('textbox', { name: 'Password', exact: true }).fill(password);
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
  };

  it('starts on the login screen, which keeps the address and empties the password after a refusal', async () => {
    const visit = await desk.visitor();
    const { page } = visit;
    await desk.go(visit, '/');
    expect(new URL(page.url()).pathname).toBe('/login');
    await page.getByRole('heading', { name: 'Log in', exact: true }).waitFor();
    await desk.expectAccessible(visit, 'log-in');
    await logIn(page, 'a wrong pass phrase');
    await page.getByRole('alert').filter({ hasText: 'The e-mail address or the password is wrong.' }).waitFor();
    expect(await page.getByRole('textbox', { name: 'Password', exact: true }).inputValue()).toBe('');
    expect(await page.getByRole('textbox', { name: 'E-mail address', exact: true }).inputValue()).toBe(ann.email);
    visit.problems.length = 0;
    await logIn(page);
    await page.getByRole('navigation', { name: 'Organization', exact: true }).waitFor();
    await visit.screenshot('dashboard-organization');
  });
});
