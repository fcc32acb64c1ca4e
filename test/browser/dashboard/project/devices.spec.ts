import { readFile } from 'node:fs/promises';
import { type Locator, type Page } from 'playwright-core';
import {
  type BuildJson,
  type Developer,
  type OrganizationRef,
  type ProjectRef,
  scope,
} from '../../../support/actors/actors';
import { verifiedDeveloper } from '../../../support/actors/tenant';
import { ipa, PROFILE_DEVICES } from '../../../support/artifacts/valid-artifacts';
import { Desk, table } from '../desk';

const OTHER = '2b6f0cc904d137be2e1730235f5664094b831186';

const button = (within: Page | Locator, name: string): Locator => within.getByRole('button', { name, exact: true });
const row = (page: Page, name: string): Locator => table(page, 'Devices').getByRole('row').filter({ hasText: name });

describe('devices in the dashboard', () => {
  let desk: Desk;
  let ann: Developer;
  let organization: OrganizationRef;
  let project: ProjectRef;
  let build: BuildJson;
  beforeAll(async () => {
    desk = await Desk.start();
    ann = await desk.app.developer();
    organization = await ann.createsOrganization('Acme');
    project = await ann.createsProject(organization, 'Rocket');
    build = await ann.uploads(project, { bytes: ipa(), fileName: 'Rocket.ipa' });
  });
  afterEach(() => desk.endVisits());
  afterAll(() => desk?.stop());

  const path = (rest = ''): string => `/o/${organization.id}/p/${project.id}/devices${rest}`;

  it('are imported, filtered, saved for Apple, marked, renamed and removed', async () => {
    const visit = await desk.open(ann, `/o/${organization.id}/p/${project.id}/testers`);
    const { page } = visit;
    await page.getByRole('link', { name: 'Devices', exact: true }).click();
    await page.getByRole('heading', { name: 'No devices yet', exact: true }).waitFor();
    await desk.expectAccessible(visit, 'devices-empty');
    await button(page, 'Import list').focus();
    await page.keyboard.press('Enter');
    const importing = page.getByRole('dialog', { name: 'Import devices', exact: true });
    const text = importing.getByRole('textbox', { name: 'List', exact: true });
    await text.fill('udid\nnothing\n');
    await button(importing, 'Import').click();
    await importing.getByText(/40 hexadecimal digits/).waitFor();
    visit.problems.splice(0).forEach((problem) => expect(problem).toContain('400'));
    await text.fill(`Device ID\tDevice Name\n${PROFILE_DEVICES[0]}\tTess' iPhone\n${OTHER}\tOld iPad\n`);
    await importing.getByRole('checkbox', { name: 'These devices are registered with Apple' }).uncheck();
    await desk.expectAccessible(visit, 'devices-import');
    await button(importing, 'Import').click();
    await row(page, "Tess' iPhone").getByText('Included', { exact: true }).waitFor();
    await row(page, 'Old iPad').getByText('Left out', { exact: true }).waitFor();
    await desk.expectAccessible(visit, 'devices');

    await page.getByRole('combobox', { name: 'State', exact: true }).selectOption('missing');
    await row(page, "Tess' iPhone").waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('checkbox', { name: 'Select Old iPad', exact: true }).check();
    const [saved] = await Promise.all([page.waitForEvent('download'), button(page, 'Save file for Apple').click()]);
    expect(await readFile(await saved.path(), 'utf8')).toBe(
      `Device ID\tDevice Name\tDevice Platform\n${OTHER}\tOld iPad 1186\tios\n`,
    );
    await button(page, 'Mark as registered with Apple').click();
    await page.getByRole('status').filter({ hasText: '1 device was marked.' }).first().waitFor();

    await button(page, 'Actions for Old iPad').click();
    await page.getByRole('menuitem', { name: 'Rename', exact: true }).click();
    const renaming = page.getByRole('dialog', { name: 'Rename device', exact: true });
    await renaming.getByRole('textbox', { name: 'Name', exact: true }).fill('New iPad');
    await button(renaming, 'Save name').click();
    await button(page, 'Actions for New iPad').click();
    await page.getByRole('menuitem', { name: 'Remove device', exact: true }).click();
    await button(page.getByRole('alertdialog'), 'Remove device').click();
    await page.getByRole('heading', { name: 'Nothing matches', exact: true }).waitFor();
  });

  it('are counted on the page of a build', async () => {
    const file = `udid,name\n${OTHER},Left iPad\n`;
    await ann
      .request('post', `/devices/import?${scope(project)}`)
      .set('Content-Type', 'text/csv')
      .send(file)
      .expect(200);
    const visit = await desk.open(ann, `/o/${organization.id}/p/${project.id}/builds/${build.id}`);
    const card = visit.page.getByRole('region', { name: 'Devices of testers', exact: true });
    await card.getByText('2 devices in the profile').waitFor();
    await card.getByText('Left iPad').waitFor();
    await card.getByRole('link', { name: 'Show devices', exact: true }).click();
    await row(visit.page, 'Left iPad').waitFor();
    // red when: a state fills its cell on a phone
    await visit.page.setViewportSize({ width: 390, height: 844 });
    const state = row(visit.page, 'Left iPad').getByText('Left out', { exact: true });
    expect((await state.boundingBox())?.width).toBeLessThan(100);
  });

  it('are not shown without the role, and in German', async () => {
    const bob = await verifiedDeveloper(desk.app);
    await desk.app.sql(`INSERT INTO membership VALUES ($1, $2, '{MEMBER,READ}', now())`, [organization.id, bob.id]);
    const refused = await desk.open(bob, path());
    await refused.page.getByRole('heading', { name: 'Devices are not shown', exact: true }).waitFor();
    await desk.expectAccessible(refused, 'devices-refused');
    const german = await desk.open(ann, path(), { language: 'de' });
    await german.page.getByRole('heading', { name: 'Geräte', exact: true }).first().waitFor();
  });
});
