import { Desk } from '../desk';

describe('an invitation', () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await Desk.start();
  });
  afterEach(() => desk.endVisits());
  afterAll(() => desk.stop());

  // red when: the dashboard opens the page of the invitation itself, although its router does not know it
  it('leads from the mail through the login into the organization', async () => {
    const [ann, bob] = [await desk.app.developer(), await desk.app.developer()];
    const { id } = await ann.createsOrganization('Acme');
    await ann.post(`/organizations/${id}/invitations`, { email: bob.email, roles: ['READ'] }).expect(201);
    const visit = await desk.visitor();
    const { page } = visit;
    await page.goto((await desk.app.mailbox.link(bob.email, 2)).href);
    await page.getByRole('link', { name: 'Log in', exact: true }).click();
    await page.getByRole('textbox', { name: 'E-mail address', exact: true }).fill(bob.email);
    await page.getByRole('textbox', { name: 'Password', exact: true }).fill(bob.password);
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await page.getByRole('heading', { name: 'You are invited', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Accept the invitation', exact: true }).click();
    await page.getByRole('heading', { name: 'You have joined', exact: true }).waitFor();
    await page.getByRole('link', { name: 'Open the dashboard', exact: true }).click();
    await page.waitForURL(`**/o/${id}`);
    await page.getByRole('navigation', { name: 'Organization', exact: true }).waitFor();
    visit.expectNoProblems();
  });

  it('leads a person without an account from the mail through the sign-up into the organization', async () => {
    const ann = await desk.app.developer();
    const { id } = await ann.createsOrganization('Acme');
    const email = 'new.person@example.com';
    await ann.post(`/organizations/${id}/invitations`, { email, roles: ['MEMBER'] }).expect(201);
    const visit = await desk.visitor();
    const { page } = visit;
    const field = (name: string) => page.getByRole('textbox', { name, exact: true });
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const heading = (name: string) => page.getByRole('heading', { name, exact: true }).waitFor();
    await page.goto((await desk.app.mailbox.link(email)).href);
    await heading('You are invited');
    await page.getByRole('link', { name: 'Sign up', exact: true }).click();
    await heading('Sign up');
    await field('E-mail address').fill(email);
    await field('Password').fill('a long pass phrase');
    await button('Sign up').click();
    await heading('Look in your inbox');

    await page.goto((await desk.app.mailbox.link(email, 2)).href);
    await page.getByRole('link', { name: 'Log in', exact: true }).click();
    await field('E-mail address').fill(email);
    await field('Password').fill('a long pass phrase');
    await button('Log in').click();
    await page.getByRole('region', { name: 'Invitations to you', exact: true }).waitFor();
    await button('Accept').click();
    await page.waitForURL(`**/o/${id}`);
    await heading('Projects');
    visit.expectNoProblems();
  });
});
