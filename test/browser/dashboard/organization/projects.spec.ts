import { type Locator, type Page } from 'playwright-core';
import {
  type BuildJson,
  type ChannelJson,
  type Developer,
  type OrganizationRef,
  type ProjectRef,
  scope,
} from '../../../support/actors/actors';
import { apk, ipa } from '../../../support/artifacts/valid-artifacts';
import { until } from '../../../support/until';
import { type Visit } from '../../browser';
import { Desk, table } from '../desk';

/** The parts of the page that screen readers know by these roles and names. */
const button = (page: Page | Locator, name: string) => page.getByRole('button', { name, exact: true });
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });
const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

const DAY_MS = 86_400_000;

describe('organizations and projects in the dashboard', () => {
  let desk: Desk;
  let ann: Developer;
  let guest: Developer;
  let organization: OrganizationRef;
  let rocket: ProjectRef;
  let beta: ChannelJson;
  let build: BuildJson;
  beforeAll(async () => {
    desk = await Desk.start();
    ann = await desk.app.developer();
    organization = await ann.createsOrganization('Acme');
    await ann.changesPlan(organization, 'business');
    rocket = await ann.createsProject(organization, 'Rocket');
    await ann.createsProject(organization, 'Balloon');
    build = await ann.uploads(rocket, { bytes: apk(), fileName: 'Rocket.apk' });
    const expiresAt = new Date(desk.app.clock.now().getTime() + 9 * DAY_MS - 60_000);
    await ann.uploads(rocket, { bytes: ipa({ expiresAt }), fileName: 'Rocket.ipa' });
    beta = await ann.createsChannel(rocket, 'Beta');
    await ann.createsChannel(rocket, 'Store');
    await ann.promotes(rocket, beta, build);
    guest = await memberWith(['READ']);
  });
  afterEach(() => desk.endVisits());
  afterAll(() => desk?.stop());

  /** A member of the organization with these roles. */
  const memberWith = async (roles: readonly string[]): Promise<Developer> => {
    const member = await desk.app.developer();
    await ann.post(`/organizations/${organization.id}/invitations`, { email: member.email, roles }).expect(201);
    const { body } = await member.get('/developers/me/invitations').expect(200);
    const [invitation] = (body as { items: { id: string }[] }).items;
    await member.post(`/developers/me/invitations/${invitation!.id}/accept`).expect(200);
    return member;
  };
  /** Expects that a button does nothing, and that screen readers announce the reason. */
  const expectDisabled = async (page: Page, name: string, reason: string): Promise<void> => {
    const found = button(page, name).first();
    await found.waitFor();
    const description = async (): Promise<string | null> => {
      const id = await found.getAttribute('aria-describedby');
      return id === null ? null : page.locator(`[id="${id}"]`).textContent();
    };
    await until(async () => (await description()) === reason);
    expect(await found.getAttribute('aria-disabled')).toBe('true');
  };

  /** Expects that a new name is shown before the service has answered, and the old one again when the service refuses it. */
  const renamesAtOnce = async (visit: Visit, { id }: ProjectRef): Promise<void> => {
    const { page } = visit;
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route(`**/api/v1/projects/${id}?*`, async (route) => {
      if (route.request().method() === 'PATCH') await held;
      await route.continue();
    });
    await field(page, 'Name').fill('Rocket');
    await button(region(page, 'General'), 'Save changes').press('Enter');
    await until(async () => (await page.title()) === 'Project settings · Rocket · Agate');
    release();
    await page.getByRole('main').getByRole('alert').first().waitFor();
    await until(async () => (await page.title()) === 'Project settings · Red kite · Agate');
    await page.unroute(`**/api/v1/projects/${id}?*`);
    // Chromium logs the refused request.
    visit.problems.length = 0;
  };

  it('list the projects, find one by its name in the address, and create one by keyboard', async () => {
    const invited = `${ann.id}@example.com`;
    await ann.post(`/organizations/${organization.id}/invitations`, { email: invited, roles: ['READ'] }).expect(201);
    const visit = await desk.open(ann, `/o/${organization.id}`);
    const { page } = visit;
    await heading(page, 'Projects').waitFor();
    const row = (name: string) => table(page, 'Projects').getByRole('row').filter({ hasText: name });
    await row('Rocket').waitFor();
    expect(await row('Rocket').innerText()).toMatch(/Android\s+1\.2\.3 \(42\)/);
    expect(await row('Balloon').innerText()).toContain('No builds yet');
    await page.getByRole('status').filter({ hasText: '2 projects' }).waitFor();
    // red when: the order is left to guess
    await page.getByText('Acme · newest first', { exact: true }).waitFor();
    const channels = row('Rocket').getByRole('listitem');
    expect(await channels.allInnerTexts()).toEqual(['Beta 1.2.3 (42)', '1 more channel']);
    await region(page, 'Needs attention').getByText('1 invitation is open.').waitFor();
    const expiring = 'The provisioning profile of Rocket 1.2.3 (42) expires in 9 days.';
    await region(page, 'Needs attention').getByText(expiring).waitFor();
    await desk.expectAccessible(visit, 'projects');

    await page.getByRole('searchbox', { name: 'Search projects', exact: true }).fill('ball');
    await page.waitForURL('**?q=ball');
    await page.getByRole('status').filter({ hasText: '1 project' }).waitFor();
    await page.reload();
    await row('Balloon').waitFor();
    expect(await row('Rocket').count()).toBe(0);
    await page.getByRole('searchbox', { name: 'Search projects', exact: true }).fill('nothing');
    await heading(page, 'Nothing matches').waitFor();
    await page.getByRole('main').getByRole('button', { name: 'Clear search', exact: true }).last().click();
    await row('Rocket').waitFor();

    await button(page, 'Create a project').press('Enter');
    await page.waitForURL('**?create=1');
    const dialog = page.getByRole('dialog', { name: 'Create a project', exact: true });
    await dialog.waitFor();
    await page.keyboard.type('Rocket');
    await visit.screenshot('dashboard-projects-create');
    expect(await visit.accessibilityIssues()).toEqual([]);
    await page.keyboard.press('Enter');
    await dialog.getByRole('alert').waitFor();
    // Chromium logs the refused request.
    visit.problems.length = 0;
    await field(page, 'Project name').fill('Glider');
    await page.keyboard.press('Enter');
    await heading(page, 'Glider').waitFor();
    await heading(page, 'Upload your first build').waitFor();
    await desk.expectAccessible(visit, 'project-empty');
  });

  it('show an empty organization, and a member the actions that they may not use', async () => {
    const empty = await ann.createsOrganization('Empty');
    const visit = await desk.open(ann, `/o/${empty.id}`);
    await heading(visit.page, 'No projects yet').waitFor();
    await desk.expectAccessible(visit, 'projects-empty');
    const visitOfGuest = await desk.open(guest, `/o/${organization.id}`);
    const { page } = visitOfGuest;
    await table(page, 'Projects').getByText('Rocket').waitFor();
    await expectDisabled(page, 'Create a project', 'Needs the role “Manager”');
    await page.goto(`${desk.app.address}/o/${organization.id}/p/${rocket.id}`);
    await region(page, 'Newest builds').waitFor();
    await expectDisabled(page, 'Promote', 'Needs the role “Manage releases”');
    expect(await page.getByRole('img', { name: /QR code/ }).count()).toBe(0);
    await page.goto(`${desk.app.address}/o/${organization.id}/p/${rocket.id}/settings`);
    await region(page, 'General').getByText('Needs the role “Manage project”').waitFor();
    await expectDisabled(page, 'Delete project', 'Needs the role “Manager”');
    await page.goto(`${desk.app.address}/o/${organization.id}/settings`);
    await region(page, 'General').getByText('Needs the role “Admin”').waitFor();
    await expectDisabled(page, 'Export data', 'Needs the role “Admin”');
    await expectDisabled(page, 'Delete organization', 'Needs the role “Admin”');
    visitOfGuest.expectNoProblems();
    await page.goto(`${desk.app.address}/o/${empty.id}`);
    await heading(page, 'Not found').waitFor();
    // The navigation requests the projects of an organization to which the guest does not belong. Chromium logs the rejection.
    visitOfGuest.problems.length = 0;
  });

  it('show the current builds of a project, and promote the newest build of a platform', async () => {
    const visit = await desk.open(ann, `/o/${organization.id}/p/${rocket.id}`);
    const { page } = visit;
    await heading(page, 'Rocket').waitFor();
    expect(await page.title()).toBe('Overview · Rocket · Agate');
    const newest = region(page, 'Newest builds');
    await button(newest, 'Show the QR code for iOS').press('Enter');
    await page.getByRole('img', { name: 'QR code of the install link for iOS', exact: true }).waitFor();
    await page.keyboard.press('Escape');
    const channels = region(page, 'Current builds');
    const item = (name: string) => channels.getByRole('listitem').filter({ hasText: name });
    await item('Beta').getByRole('link', { name: '1.2.3 (42)', exact: true }).waitFor();
    await item('Store').getByText('Nothing promoted yet').first().waitFor();
    await region(page, 'Earlier releases').getByText('No release has been replaced yet.').waitFor();
    await region(page, 'Needs attention')
      .getByText(/Rocket 1\.2\.3 \(42\) expires in 9 days/)
      .waitFor();
    await region(page, 'Needs attention').getByRole('link', { name: 'See the build', exact: true }).waitFor();
    await desk.expectAccessible(visit, 'project-overview');

    await item('Store')
      .getByRole('button', { name: /^Promote 1\.2\.3 \(42\), / })
      .first()
      .press('Enter');
    await page.waitForURL('**?promote=*');
    await page.reload();
    const dialog = page.getByRole('dialog', { name: /^Promote / });
    const chosen = dialog.getByRole('combobox', { name: 'Channel', exact: true }).locator('option:checked');
    expect(await chosen.textContent()).toBe('Store');
    await dialog.getByRole('button', { name: 'Promote', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await item('Store').getByText('iOS').waitFor();
    // red when: the list leaves out releases that were replaced
    const next = await ann.uploads(rocket, { bytes: apk({ versionCode: 43 }), fileName: 'Rocket.apk' });
    await ann.promotes(rocket, beta, next);
    const earlier = page.getByRole('list', { name: 'Earlier releases', exact: true });
    await earlier.getByRole('listitem').filter({ hasText: 'Beta' }).waitFor();
    expect(await earlier.getByRole('listitem').count()).toBe(1);
  });

  // red when: a current build that devices reject is not named, in either language
  it('name the current builds that devices cannot install', async () => {
    const other = await ann.createsOrganization('Broken');
    await ann.changesPlan(other, 'business');
    const project = await ann.createsProject(other, 'Kite');
    const broken = await ann.uploads(project, { bytes: apk({ testOnly: true }), fileName: 'Kite.apk' });
    const channel = await ann.createsChannel(project, 'Beta');
    await ann.promotes(project, channel, broken);

    const visit = await desk.open(ann, `/o/${project.organizationId}`);
    const { page } = visit;
    const text = 'Devices cannot install Kite 1.2.3 (42) (Android), the current build of Beta.';
    await region(page, 'Needs attention').getByText(text).waitFor();
    await region(page, 'Needs attention').getByRole('link', { name: 'See the build', exact: true }).click();
    await page.waitForURL(`**/builds/${broken.id}`);
    await desk.go(visit, `/o/${project.organizationId}/p/${project.id}`);
    await region(page, 'Needs attention').getByText(text).waitFor();
    await region(page, 'Current builds').getByText('cannot be installed').waitFor();
    await desk.expectAccessible(visit, 'project-blocked');

    const german = await desk.open(ann, `/o/${project.organizationId}/p/${project.id}`, { language: 'de' });
    const germanText = 'Geräte können Kite 1.2.3 (42) (Android) nicht installieren, den aktuellen Build von Beta.';
    await region(german.page, 'Zu beachten').getByText(germanText).waitFor();
    await region(german.page, 'Aktuelle Builds').getByText('nicht installierbar').waitFor();
  });

  it('change the settings of a project, and delete it after its name was typed', async () => {
    const project = await ann.createsProject(organization, 'Kite');
    const visit = await desk.open(ann, `/o/${organization.id}/p/${rocket.id}/settings`);
    const { page } = visit;
    await heading(page, 'Project settings').waitFor();
    await region(page, 'Quotas').getByText('Channels').waitFor();
    await expectDisabled(page, 'Delete project', 'Delete its builds and channels first');
    await desk.expectAccessible(visit, 'project-settings');

    await desk.go(visit, `/o/${organization.id}/p/${project.id}/settings`);
    await field(page, 'Name').fill('Red kite');
    await page.getByRole('combobox', { name: 'Language of mails to testers', exact: true }).selectOption('de');
    await page.getByRole('checkbox', { name: 'Accept any bundle id', exact: true }).check();
    const mails = { name: 'Mail the managers before builds stop launching', exact: true } as const;
    await page.getByRole('checkbox', mails).uncheck();
    await button(region(page, 'General'), 'Save changes').press('Enter');
    await page.getByText('The changes were saved.').waitFor();
    const { body } = await ann.get(`/projects/${project.id}?${scope(project)}`).expect(200);
    expect(body).toMatchObject({
      name: 'Red kite',
      language: 'de',
      allow_any_bundle_id: true,
      signing_expiry_mails: false,
    });
    await renamesAtOnce(visit, project);
    await button(page, 'Delete project').click();
    const dialog = page.getByRole('alertdialog', { name: 'Delete Red kite?', exact: true });
    await field(page, 'Type Red kite to confirm').fill('Red kite');
    expect(await visit.accessibilityIssues()).toEqual([]);
    await dialog.getByRole('button', { name: 'Delete project', exact: true }).click();
    await heading(page, 'Projects').waitFor();
    await ann.get(`/projects/${project.id}?${scope(project)}`).expect(403);
  });

  it('rename, export, leave and delete an organization', async () => {
    const other = await ann.createsOrganization('Other');
    const visit = await desk.open(ann, `/o/${other.id}/settings`);
    const { page } = visit;
    await field(page, 'Name').fill('Another');
    await button(page, 'Save changes').click();
    await until(async () => (await page.title()) === 'Organization settings · Another · Agate');
    await expectDisabled(page, 'Leave organization', 'You are the last Admin: make another member Admin first');
    await button(page, 'Export data').click();
    await field(page, 'Your password').fill(ann.password);
    await page.keyboard.press('Enter');
    await region(page, 'Export').getByRole('status').waitFor();
    await desk.expectAccessible(visit, 'organization-settings');
    await button(page, 'Delete organization').click();
    await field(page, 'Type Another to confirm').fill('Another');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete organization', exact: true }).click();
    await page.waitForURL((url) => !url.pathname.includes(other.id));
    await ann.get(`/organizations/${other.id}`).expect(403);
    visit.problems.length = 0;

    const leaver = await memberWith(['READ']);
    const leaving = await desk.open(leaver, `/o/${organization.id}/settings`, { language: 'de' });
    await heading(leaving.page, 'Organisation verwalten').waitFor();
    await button(leaving.page, 'Organisation verlassen').click();
    const question = leaving.page.getByRole('alertdialog', { name: 'Acme verlassen?', exact: true });
    await question.getByRole('button', { name: 'Organisation verlassen', exact: true }).click();
    await heading(leaving.page, 'Willkommen bei Agate').waitFor();
    leaving.problems.length = 0;
  });
});
