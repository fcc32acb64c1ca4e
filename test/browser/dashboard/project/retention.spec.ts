import { type Locator, type Page } from 'playwright-core';
import { type BuildJson, type Developer, type OrganizationRef, type ProjectRef } from '../../../support/actors/actors';
import { apk } from '../../../support/artifacts/valid-artifacts';
import { until } from '../../../support/until';
import { type Visit } from '../../browser';
import { Desk, type DeskOptions, PHONE } from '../desk';
import { insertOldBuilds, LONG_BRANCH } from './old-builds';

describe('the retention of a project in the dashboard', () => {
  let desk: Desk;
  let ann: Developer;
  let organization: OrganizationRef;
  let project: ProjectRef;
  let build: BuildJson;
  let visit: Visit;
  let page: Page;
  beforeAll(async () => {
    desk = await Desk.start();
    ann = await desk.app.developer();
    organization = await ann.createsOrganization('Acme');
    project = await ann.createsProject(organization, 'Rocket');
    build = await ann.uploads(project, { bytes: apk(), fileName: 'rocket.apk' }, { branch: 'main' });
    await insertOldBuilds(desk, build, project, 30, LONG_BRANCH);
  });
  afterEach(() => desk.endVisits());
  afterAll(() => desk?.stop());

  const address = (of = project): string => `/o/${organization.id}/p/${of.id}/settings/retention`;
  const open = async (developer = ann, path = address(), options: DeskOptions = {}): Promise<void> => {
    visit = await desk.open(developer, path, options);
    page = visit.page;
  };
  const button = (name: string): Locator => page.getByRole('button', { name, exact: true });
  const newest = (rule = 0): Locator => page.getByRole('spinbutton', { name: 'Number of newest builds' }).nth(rule);
  const days = (rule = 0): Locator => page.getByRole('spinbutton', { name: 'Age in days' }).nth(rule);
  const mode = (name: string): Locator => page.getByRole('radio', { name, exact: true });
  const status = (text: string): Locator => page.getByRole('status').filter({ hasText: text });
  const stored = async (of = project): Promise<unknown> =>
    (await ann.get(`/projects/${of.id}/retention?organization_id=${organization.id}`)).body;

  // red when: the rules are saved without the fingerprint of their own preview, or before the question is answered
  it('keeps everything at first; a rule is typed by keyboard, previewed, asked about and saved', async () => {
    await open(ann, `/o/${organization.id}/p/${project.id}/settings`);
    await page.getByRole('link', { name: 'Open retention', exact: true }).press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Retention', exact: true }).waitFor();
    await status('Nothing. All builds are kept until a person deletes them.').waitFor();
    expect(await mode('Keep all builds').isChecked()).toBe(true);
    await desk.expectAccessible(visit, 'retention-off');

    await mode('Keep all builds').press('ArrowDown');
    await status('With these rules 10 builds would go now.').waitFor();
    await newest().fill('5');
    await status('With these rules 25 builds would go now.').waitFor();
    await page.getByText('Keep the newest 5 builds of each branch and builds younger than 90 days.').waitFor();
    const preview = page.getByRole('region', { name: 'What the rules delete', exact: true });
    await preview.getByRole('link', { name: '1.0.1 (42)', exact: true }).waitFor();
    expect(await preview.getByTitle(LONG_BRANCH).count()).toBe(8);
    await preview.getByText('and 17 more', { exact: true }).waitFor();
    await desk.expectAccessible(visit, 'retention-rules');

    await newest().press('Enter');
    const question = page.getByRole('alertdialog', { name: 'Delete 25 builds by these rules?', exact: true });
    await question.getByText(/^Their files take/).waitFor();
    expect(await visit.accessibilityIssues()).toEqual([]);
    await visit.screenshot('dashboard-retention-question');
    expect(await stored()).toMatchObject({ enabled: false, rules: [] });
    await question.getByRole('button', { name: 'Save rules', exact: true }).press('Enter');
    await status('The rules were saved.').waitFor();
    const rule = { keep_last: 5, keep_days: 90, per: 'branch', branches: [] };
    expect(await stored()).toMatchObject({ enabled: true, rules: [rule] });
    expect(await button('Save rules').count()).toBe(0);
    await page.reload();
    await until(async () => (await newest().inputValue()) === '5');
    await mode('Keep all builds').check();
    await button('Save changes').press('Enter');
    await status('Saved: nothing is deleted by rules.').waitFor();
    expect(await stored()).toMatchObject({ enabled: false, rules: [rule] });
  });

  it('previews several rules, and rules about branches', async () => {
    const place = await ann.createsProject(organization);
    await insertOldBuilds(desk, build, place, 12, LONG_BRANCH);
    await open(ann, address(place));
    await mode('Delete old builds by rules').check();
    await newest().fill('1');
    await status('With these rules 11 builds would go now.').waitFor();
    await button('Add a rule').press('Enter');
    await page.getByRole('combobox', { name: 'Branches of the rule' }).nth(1).selectOption('some');
    await page.getByRole('textbox', { name: 'Patterns of branches' }).fill('release/*, feature/PAY-*');
    await newest(1).fill('4');
    await days(1).fill('');
    await page
      .getByText('Of the builds of release/* and feature/PAY-*, keep the newest 4 builds of each branch.')
      .waitFor();
    await status('With these rules 8 builds would go now.').waitFor();
    await desk.expectAccessible(visit, 'retention-several');
    await button('Remove rule 2').press('Enter');
    await status('With these rules 11 builds would go now.').waitFor();
  });

  // red when: a failed save clears the form, or shows the code of the error
  it('loses nothing that was typed when saving fails, and says why in a sentence', async () => {
    const place = await ann.createsProject(organization);
    await insertOldBuilds(desk, build, place, 12, 'main');
    await open(ann, address(place));
    await mode('Delete old builds by rules').check();
    await newest().fill('');
    await days().fill('');
    await button('Save rules').click();
    await page.getByText('A rule keeps nothing. Type a number of builds or of days.').waitFor();
    expect(await newest().and(page.locator(':focus')).count()).toBe(1);
    await visit.screenshot('dashboard-retention-incomplete');
    await newest().fill('7');
    await status('With these rules 5 builds would go now.').waitFor();
    await page.route('**/retention?*', (route) =>
      route.request().method() === 'PUT'
        ? route.fulfill({
            status: 400,
            json: { error: 'operation_not_allowed', message: 'Too old.', details: { reason: 'preview_expired' } },
          })
        : route.continue(),
    );
    await button('Save rules').click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Save rules', exact: true }).click();
    await page.getByRole('alert').filter({ hasText: 'The count was more than an hour old.' }).waitFor();
    visit.problems.splice(0).forEach((problem) => expect(problem).toContain('400'));
    await desk.expectAccessible(visit, 'retention-expired');
    expect(await newest().inputValue()).toBe('7');
    await page.unroute('**/retention?*');
    await page.reload();
    await until(async () => (await newest().inputValue()) === '7');
    await status('With these rules 5 builds would go now.').waitFor();
    await button('Save rules').click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Save rules', exact: true }).click();
    await status('The rules were saved.').waitFor();
    expect(await stored(place)).toMatchObject({ enabled: true, rules: [{ keep_last: 7, keep_days: null }] });
    await newest().fill('9');
    await button('Discard changes').click();
    expect(await newest().inputValue()).toBe('7');
  });

  it('is a sentence for members who may not change it', async () => {
    const place = await ann.createsProject(organization);
    const path = `/projects/${place.id}/retention`;
    const rules = [{ keep_last: 20, per: 'platform', branches: ['main'] }];
    const preview = await ann.post(`${path}/preview?organization_id=${organization.id}`, { rules }).expect(200);
    const body = { rules, enabled: true, fingerprint: (preview.body as { fingerprint: string }).fingerprint };
    await ann.request('put', `${path}?organization_id=${organization.id}`).send(body).expect(200);
    const bob = await desk.app.developer();
    await desk.app.sql(
      `INSERT INTO membership (organization_id, developer_id, roles, created_at) VALUES ($1, $2, '{READ}', now())`,
      [organization.id, bob.id],
    );
    await open(bob, address(place));
    await page.getByText('Of the builds of main, keep the newest 20 builds of each platform.').waitFor();
    await page.getByText('Needs the role “Manage project”').waitFor();
    expect(await page.getByRole('radio').count()).toBe(0);
    await desk.expectAccessible(visit, 'retention-read');
  });

  it('speaks German, on a phone', async () => {
    await open(ann, address(), { reader: PHONE, language: 'de' });
    await page.getByRole('radio', { name: 'Alte Builds nach Regeln löschen', exact: true }).check();
    await page.getByRole('spinbutton', { name: 'Anzahl der neuesten Builds' }).fill('3');
    await status('Mit diesen Regeln würden jetzt 27 Builds gehen.').waitFor();
    await page.getByRole('combobox', { name: 'Branches der Regel' }).selectOption('some');
    await page.getByRole('textbox', { name: 'Muster von Branches' }).fill(LONG_BRANCH);
    await page.getByText(`Von den Builds aus ${LONG_BRANCH} werden`).waitFor();
    // Figures of other rules are pale until the new ones are there.
    await page.locator('[aria-busy=true]').waitFor({ state: 'detached' });
    await desk.expectAccessible(visit, 'retention-german');
  });
});
