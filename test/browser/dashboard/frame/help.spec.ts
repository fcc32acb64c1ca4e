import { type Developer, type OrganizationRef, type ProjectRef } from '../../../support/actors/actors';
import { apk } from '../../../support/artifacts/valid-artifacts';
import { Desk } from '../desk';

describe('the help of the dashboard', () => {
  let desk: Desk;
  let ann: Developer;
  let organization: OrganizationRef;
  let project: ProjectRef;
  beforeAll(async () => {
    desk = await Desk.start();
    ann = await desk.app.developer();
    organization = await ann.createsOrganization('Acme');
    project = await ann.createsProject(organization, 'Rocket');
  });
  afterAll(() => desk?.stop());
  afterEach(() => desk.endVisits());

  // red when: the page is that of the screen before
  it('leads from each screen to the part of the documents about it', async () => {
    const { page } = await desk.open(ann, `/o/${organization.id}/p/${project.id}/testers`);
    const help = page.getByRole('link', { name: 'Help for this screen' });
    expect(await help.getAttribute('href')).toBe('/help/dashboard#testers');
    await page.getByRole('link', { name: 'Builds', exact: true }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Builds' }).waitFor();
    expect(await help.getAttribute('href')).toBe('/help/dashboard#builds');
    const [opened] = await Promise.all([page.waitForEvent('popup'), help.click()]);
    await opened.getByRole('heading', { level: 2, name: 'Builds', exact: true }).waitFor();
    expect(await opened.locator(':target').textContent()).toBe('Builds');
  });

  it('explains each warning of a build', async () => {
    const build = await ann.uploads(project, { bytes: apk({ debuggable: true }), fileName: 'app.apk' });
    const { page } = await desk.open(ann, `/o/${organization.id}/p/${project.id}/builds/${build.id}`);
    const link = page.getByRole('link', { name: 'More about this (opens in a new tab)' }).first();
    const [opened] = await Promise.all([page.waitForEvent('popup'), link.click()]);
    await opened.locator('tr:has(:target)').waitFor();
    expect(new URL(opened.url()).pathname).toBe('/help/installing');
  });

  it('explains an error of the service', async () => {
    const visit = await desk.open(ann, `/o/${organization.id}`);
    const { page } = visit;
    visit.allowProblems('status of 409');
    const details = { reason: 'balance_owed', request_id: 'request-7' };
    await page.route('**/api/v1/projects?*', (route) =>
      route.fulfill({ status: 409, json: { error: 'dependency_exists', message: 'It owes money.', details } }),
    );
    await page.route('**/api/v1/organizations/*/members*', (route) =>
      route.fulfill({ status: 409, json: { error: 'dependency_exists', message: 'It owes money.', details } }),
    );
    await page.getByRole('link', { name: 'Members', exact: true }).first().click();
    const link = page.getByRole('link', { name: 'What this means (opens in a new tab)' }).first();
    expect(await link.getAttribute('href')).toBe('/help/errors/dependency_exists#balance_owed');
  });
});
