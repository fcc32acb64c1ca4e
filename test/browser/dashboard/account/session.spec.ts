import { generate } from 'otplib';
import { type Page } from 'playwright-core';
import { type Developer } from '../../../support/actors/actors';
import { ipa } from '../../../support/artifacts/valid-artifacts';
import { type Visit } from '../../browser';
import { Desk } from '../desk';

/** The cookie of the access token. */
const ACCESS_COOKIE = 'dfdeveloper';

describe('the session in the dashboard', () => {
  let desk: Desk;
  let ann: Developer;
  let settings: string;
  let buildPage: string;
  beforeAll(async () => {
    desk = await Desk.start();
    ann = await desk.app.developer();
    const organization = await ann.createsOrganization('Acme');
    const project = await ann.createsProject(organization, 'Rocket');
    const build = await ann.uploads(project, { bytes: ipa(), fileName: 'Rocket.ipa' });
    buildPage = `/o/${organization.id}/p/${project.id}/builds/${build.id}`;
    settings = `/o/${organization.id}/settings`;
  });
  afterEach(() => desk.endVisits());
  afterAll(() => desk.stop());

  const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true, level: 1 });
  const pathOf = (page: Page): string => page.url().slice(desk.app.address.length);
  const logIn = async (page: Page, password = ann.password): Promise<void> => {
    await field(page, 'E-mail address').fill(ann.email);
    await field(page, 'Password').fill(password);
    await button(page, 'Log in').click();
  };
  const inside = (page: Page) => page.getByRole('navigation', { name: 'Organization', exact: true });
  /** Requests to the API from now on. */
  const requestsOf = ({ page }: Visit): string[] => {
    const sent: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith('/api/')) sent.push(`${request.method()} ${pathname.slice('/api/v1'.length)}`);
    });
    return sent;
  };
  /** Chromium reports a refused request as an error of the console. */
  const expectRefusal = (visit: Visit, status: number): void => {
    expect(visit.problems.splice(0)).toEqual([expect.stringContaining(`status of ${status}`)]);
  };

  const enablesSecondFactor = async (developer: Developer): Promise<string[]> => {
    const post = (path: string, body: object) =>
      developer.post(path, { password: developer.password, ...body }).expect(200);
    const { secret } = (await post('/developers/me/mfa', {})).body as { secret: string };
    const code = await generate({ secret, epoch: Math.floor(desk.app.clock.now().getTime() / 1000) });
    return ((await post('/developers/me/mfa/confirm', { code })).body as { recovery_codes: string[] }).recovery_codes;
  };

  it('starts on the login screen, which keeps the address and clears the password after a failed login', async () => {
    const visit = await desk.visitor();
    const { page } = visit;
    const requests = requestsOf(visit);
    await desk.go(visit, '/');
    await heading(page, 'Log in').waitFor();
    expect(pathOf(page)).toBe('/login');
    // A page without a session must not send requests in a loop.
    expect(requests.length).toBeLessThanOrEqual(4);
    await desk.expectAccessible(visit, 'log-in');
    await logIn(page, 'a wrong pass phrase');
    const wrong = page.getByRole('alert').filter({ hasText: 'The e-mail address or the password is wrong.' });
    await wrong.waitFor();
    expectRefusal(visit, 401);
    // red when: the reason stands below the button, where a phone's keyboard covers it
    expect((await wrong.boundingBox())!.y).toBeLessThan((await field(page, 'E-mail address').boundingBox())!.y);
    expect(await field(page, 'Password').inputValue()).toBe('');
    expect(await field(page, 'E-mail address').inputValue()).toBe(ann.email);
    await field(page, 'Password').fill(ann.password);
    await page.keyboard.press('Enter');
    await inside(page).waitFor();
  });

  it('leads to the address that was requested, with its query, but never to another site', async () => {
    const visit = await desk.visitor();
    const { page } = visit;
    await desk.go(visit, `${settings}?tab=one`);
    await logIn(page);
    await inside(page).waitFor();
    expect(pathOf(page)).toBe(`${settings}?tab=one`);
    const other = await desk.visitor();
    await desk.go(other, '/login?next=//evil.example');
    await logIn(other.page);
    await inside(other.page).waitFor();
    expect(new URL(other.page.url()).origin).toBe(desk.app.address);
  });

  it('leaves no token where scripts can read it', async () => {
    const visit = await desk.visitor();
    await desk.go(visit, '/login');
    await logIn(visit.page);
    await inside(visit.page).waitFor();
    const stored = await visit.page.evaluate<string[]>(
      `[...Object.values(localStorage), ...Object.values(sessionStorage), ...document.cookie.split('; ').map((pair) => pair.split('=')[1])]`,
    );
    expect(stored.filter((value) => /^(ey|ag_)/.test(value))).toEqual([]);
  });

  it('continues in two tabs with one refresh when the access cookie expires', async () => {
    const visit = await desk.open(ann, settings);
    const context = visit.page.context();
    await context.clearCookies({ name: ACCESS_COOKIE });
    const second = await context.newPage();
    const refreshes: string[] = [];
    context.on('request', (request) => {
      if (request.url().endsWith('/login/refresh')) refreshes.push(request.url());
    });
    await Promise.all([visit.page.reload(), second.goto(`${desk.app.address}${settings}`)]);
    await Promise.all([inside(visit.page).waitFor(), inside(second).waitFor()]);
    expect(refreshes).toHaveLength(1);
  });

  it('shows the login after the session was ended elsewhere, and restores typed text', async () => {
    const visit = await desk.open(ann, buildPage);
    const { page } = visit;
    await button(page, 'Edit notes').click();
    await page.getByRole('textbox', { name: 'What to test', exact: true }).fill('The new login.');
    await ann.post('/login/logout', { refresh_token: ann.refreshToken }).expect(204);
    await button(page, 'Save notes').click();
    await heading(page, 'Log in').waitFor();
    // Requests without a session are refused, which Chromium reports.
    visit.problems.length = 0;
    expect(new URL(page.url()).searchParams.get('next')).toBe(buildPage);
    // red when: the login does not say why one is there
    await page.getByRole('note').filter({ hasText: 'Your session has ended.' }).waitFor();
    await page.getByRole('note').filter({ hasText: 'The text that you typed is kept.' }).waitFor();
    await desk.expectAccessible(visit, 'log-in-again');
    await logIn(page);
    await button(page, 'Save notes').waitFor();
    expect(await page.getByRole('textbox', { name: 'What to test', exact: true }).inputValue()).toBe('The new login.');
  });

  it('starts with a second factor or a recovery code', async () => {
    const eve = await desk.app.developer();
    await eve.createsOrganization('Eve Inc');
    const codes = await enablesSecondFactor(eve);
    const visit = await desk.visitor();
    const { page } = visit;
    await desk.go(visit, '/login');
    await field(page, 'E-mail address').fill(eve.email);
    await field(page, 'Password').fill(eve.password);
    await button(page, 'Log in').click();
    await page.getByRole('textbox', { name: 'Code', exact: true }).fill('000000');
    expectRefusal(visit, 401);
    await page.getByText('Authenticator or recovery code').waitFor();
    await button(page, 'Log in').click();
    await page.getByRole('alert').waitFor();
    expectRefusal(visit, 401);
    await page.getByRole('textbox', { name: 'Code', exact: true }).fill(codes[0]!);
    await button(page, 'Log in').click();
    await inside(page).waitFor();
  });

  it('begins with a sign-up, whose address is confirmed by a mail', async () => {
    const visit = await desk.visitor();
    const { page } = visit;
    await desk.go(visit, '/login');
    await page.getByRole('link', { name: 'Sign up', exact: true }).click();
    await heading(page, 'Sign up').waitFor();
    await desk.expectAccessible(visit, 'sign-up');
    await field(page, 'Name (optional)').fill('Kim');
    await field(page, 'E-mail address').fill('kim@example.com');
    await field(page, 'Password').fill('a long pass phrase of Kim');
    await button(page, 'Sign up').click();
    await heading(page, 'Look in your inbox').waitFor();
    await button(page, 'Send the mail again').waitFor();
    await desk.expectAccessible(visit, 'inbox');
    await page.getByRole('link', { name: 'Log in', exact: true }).click();
    await field(page, 'E-mail address').fill('kim@example.com');
    await field(page, 'Password').fill('a long pass phrase of Kim');
    await button(page, 'Log in').click();
    await page.getByRole('region', { name: 'Confirm your e-mail address', exact: true }).waitFor();
  });

  it('starts after a password reset', async () => {
    const visit = await desk.visitor({ language: 'de' });
    const { page } = visit;
    await desk.go(visit, '/forgot-password');
    await heading(page, 'Passwort vergessen?').waitFor();
    await desk.expectAccessible(visit, 'forgot-password-de');
    await field(page, 'E-Mail-Adresse').fill(ann.email);
    await button(page, 'Link senden').click();
    await heading(page, 'Prüfen Sie Ihr Postfach').waitFor();
  });
});
