import { type Locator, type Page } from 'playwright-core';
import { type Developer, type ProjectRef } from '../../../support/actors/actors';
import { ipa } from '../../../support/artifacts/valid-artifacts';
import { Desk } from '../desk';
import { gives, joins } from '../joins';

/** Actions that only show something: they are the same for every member. */
const HARMLESS = /^(Copy|Show|Dismiss|Clear|Load more|Next|Previous|Swap|More|Actions|Search)/;

describe('a member with the role View project', () => {
  let desk: Desk;
  let kim: Developer;
  let project: ProjectRef;
  let home: string;
  let build: string;
  beforeAll(async () => {
    desk = await Desk.start();
    const [ann, viewer] = [await desk.app.developer(), await desk.app.developer()];
    kim = viewer;
    const organization = await ann.createsOrganization('Acme');
    project = await ann.createsProject(organization, 'Rocket');
    const uploaded = await ann.uploads(project, { bytes: ipa(), fileName: 'Rocket.ipa' });
    await joins(ann, kim, organization, ['MEMBER']);
    await gives(ann, kim, project, 'VIEW_PROJECT');
    home = `/o/${organization.id}`;
    build = `/p/${project.id}/builds/${uploaded.id}`;
  });
  afterEach(() => desk.endVisits());
  afterAll(() => desk.stop());

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first();

  async function reasonOf(page: Page, control: Locator): Promise<string> {
    const ids = ((await control.getAttribute('aria-describedby')) ?? '').split(' ').filter(Boolean);
    return (await Promise.all(ids.map((id) => page.locator(`[id="${id}"]`).textContent()))).join(' ');
  }

  it('sees at each action which role it needs', async () => {
    const visit = await desk.open(kim, home);
    const { page } = visit;
    const builds = `/p/${project.id}/builds`;
    for (const [address, name, role] of [
      [builds, 'Upload build', 'Upload builds'],
      [build, 'Promote', 'Manage releases'],
      [`/p/${project.id}/tokens`, 'New token', 'Upload builds'],
      [`/p/${project.id}/access`, 'Add member', 'Manage project'],
      ['/members', 'Invite member', 'Admin'],
    ] as const) {
      await desk.go(visit, home + address);
      const control = button(page, name);
      await control.and(page.locator('[aria-disabled="true"]')).waitFor();
      expect({ name, reason: await reasonOf(page, control) }).toEqual({ name, reason: `Needs the role “${role}”` });
    }
  });

  // red when: fields that cannot be saved look as if they could
  it('reads the settings of a project as facts, with the reason once', async () => {
    const { page } = await desk.open(kim, `${home}/p/${project.id}/settings`);
    const general = page.getByRole('region', { name: 'General', exact: true });
    await general.getByText('Needs the role “Manage project”').waitFor();
    expect(await general.getByRole('textbox').count()).toBe(0);
  });

  it('finds no mutating action, and no request of theirs is rejected', async () => {
    const visit = await desk.open(kim, home);
    const { page } = visit;
    const writes: string[] = [];
    page.on('request', (request) => {
      if (request.method() !== 'GET' && request.url().includes('/api/')) writes.push(request.url());
    });
    const refused: string[] = [];
    page.on('response', (response) => {
      if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`);
    });
    const screens = ['', '/builds', '/channels', '/testers', '/tokens', '/access', '/settings'];
    for (const screen of [...screens.map((path) => `/p/${project.id}${path}`), build, '', '/members']) {
      await desk.go(visit, home + screen);
      await page.waitForLoadState('networkidle');
      const offered = page.getByRole('main').getByRole('button').and(page.locator(':not([aria-disabled="true"])'));
      const names = await Promise.all((await offered.all()).map(async (one) => (await one.innerText()).trim()));
      const acts = names.filter((name) => name !== '' && !HARMLESS.test(name));
      expect({ screen, acts, refused }).toEqual({ screen, acts: [], refused: [] });
    }
    expect(writes).toEqual([]);
  });
});

describe('a member who sees no projects', () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await Desk.start();
  });
  afterEach(() => desk.endVisits());
  afterAll(() => desk.stop());

  // red when: the start page is the list of projects, which says that there are none
  it('lands on billing, and is told why no project is listed', async () => {
    const [ann, bob] = [await desk.app.developer(), await desk.app.developer()];
    const organization = await ann.createsOrganization('Acme');
    const project = await ann.createsProject(organization, 'Rocket');
    await joins(ann, bob, organization, ['BILLING']);
    const visit = await desk.open(bob, '/');
    const { page } = visit;
    await page.waitForURL(`**/o/${organization.id}/billing`);
    await desk.go(visit, `/o/${organization.id}`);
    await page.getByRole('heading', { name: 'You see no projects with the role “Billing”', exact: true }).waitFor();
    await page.getByRole('main').getByRole('link', { name: 'See billing and usage', exact: true }).waitFor();
    await desk.expectAccessible(visit, 'projects-hidden');

    await desk.go(visit, `/o/${organization.id}/p/${project.id}`);
    await page.getByText(`You are logged in as ${bob.email}, with the role “Billing” in Acme.`).waitFor();
    visit.problems.length = 0;
  });
});
