import { type Page } from 'playwright-core';
import { type Developer, randomEmail } from '../../../support/actors/actors';
import { type Visit } from '../../browser';
import { Desk, PHONE } from '../desk';

const PASSWORD = 'a long pass phrase';

describe('an invitation', () => {
  let desk: Desk;
  let ann: Developer;
  let id: string;
  beforeAll(async () => {
    desk = await Desk.start();
    ann = await desk.app.developer();
    await ann.patch('/developers/me', { name: 'Anna Berg' }).expect(200);
  });
  beforeEach(async () => {
    ({ id } = await ann.createsOrganization('Acme'));
  });
  afterEach(() => desk.endVisits());
  afterAll(() => desk.stop());

  const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true }).waitFor();
  /** Invites an address. Returns the address of the mailed link. */
  const invites = async (email: string, mails = 1, roles = ['MANAGER']): Promise<string> => {
    await ann.post(`/organizations/${id}/invitations`, { email, roles }).expect(201);
    return (await desk.app.mailbox.link(email, mails)).href;
  };
  const expectInside = async ({ page }: Visit): Promise<void> => {
    await page.waitForURL(`**/o/${id}`);
    await heading(page, 'Projects');
    await page.getByRole('navigation', { name: 'Organization', exact: true }).waitFor();
  };

  // red when: the page behind the link leads to the sign-up, which mails another link
  it('needs one page and one mail of a person without an account', async () => {
    const email = randomEmail();
    const link = await invites(email);
    const visit = await desk.visitor();
    const { page } = visit;
    await page.goto(link);
    await heading(page, 'Anna Berg invites you to Acme as “Manager”');
    expect(await field(page, 'E-mail address').inputValue()).toBe(email);
    await desk.expectAccessible(visit, 'join');
    await field(page, 'Name (optional)').fill('Kim Example');
    await field(page, 'Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await expectInside(visit);
    expect(await desk.app.mailbox.all(email)).toHaveLength(1);
    await page.reload();
    await heading(page, 'Projects');
  });

  it('keeps what was typed when the password is too common', async () => {
    const visit = await desk.visitor();
    const { page } = visit;
    await page.goto(await invites(randomEmail()));
    await field(page, 'Name (optional)').fill('Kim Example');
    await field(page, 'Password').fill('passwordpassword');
    await button(page, 'Join').click();
    await page.getByText(/common/).waitFor();
    expect(await field(page, 'Name (optional)').inputValue()).toBe('Kim Example');
    visit.problems.length = 0;
    await field(page, 'Password').fill(PASSWORD);
    await button(page, 'Join').click();
    await expectInside(visit);
  });

  it('is accepted with one click by a person who is logged in', async () => {
    const bob = await desk.app.developer();
    const link = await invites(bob.email, 2);
    const visit = await desk.visitor();
    await desk.logIn(visit, bob);
    await visit.page.goto(link);
    await visit.page.getByText(`You are logged in as ${bob.email}.`).waitFor();
    await button(visit.page, 'Join').click();
    await expectInside(visit);
  });

  it('asks a person with an account to log in, with the address filled in', async () => {
    const bob = await desk.app.developer();
    const link = await invites(bob.email, 2);
    const visit = await desk.visitor();
    const { page } = visit;
    await page.goto(link);
    await page.getByRole('link', { name: 'Log in', exact: true }).click();
    await heading(page, 'Log in');
    expect(await field(page, 'E-mail address').inputValue()).toBe(bob.email);
    expect(page.url()).not.toContain(encodeURIComponent(bob.email));
    await field(page, 'Password').fill(bob.password);
    await button(page, 'Log in').click();
    await button(page, 'Join').click();
    await expectInside(visit);
  });

  it('of another person says so, and continues without the session', async () => {
    const bob = await desk.app.developer();
    const email = randomEmail();
    const link = await invites(email);
    const visit = await desk.visitor({ reader: PHONE });
    await desk.logIn(visit, bob);
    const { page } = visit;
    await page.goto(link);
    await page.getByText(`The invitation is for ${email}, but you are logged in as ${bob.email}.`).waitFor();
    await button(page, 'Log out and continue').click();
    await field(page, 'Password').fill(PASSWORD);
    await button(page, 'Join').click();
    await expectInside(visit);
  });

  it('that was used says what to do', async () => {
    const visit = await desk.visitor({ language: 'de' });
    const link = await invites(randomEmail());
    const { body } = await ann.get(`/organizations/${id}/invitations`).expect(200);
    const [{ id: invitation }] = (body as { items: [{ id: string }] }).items;
    await ann.delete(`/organizations/${id}/invitations/${invitation}`).expect(204);
    await visit.page.goto(link);
    await heading(visit.page, 'Diese Einladung gilt nicht');
    visit.problems.length = 0;
    await visit.page.getByRole('link', { name: 'Anmelden', exact: true }).click();
    await heading(visit.page, 'Anmelden');
  });
});
