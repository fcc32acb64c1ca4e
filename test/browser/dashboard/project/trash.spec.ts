import { type Locator, type Page } from 'playwright-core';
import {
  type BuildJson,
  type Developer,
  type OrganizationRef,
  type ProjectRef,
  scope,
} from '../../../support/actors/actors';
import { apkOf } from '../../../support/artifacts/app-artifacts';
import { ipa } from '../../../support/artifacts/valid-artifacts';
import { until } from '../../../support/until';
import { type Visit } from '../../browser';
import { Desk, type DeskOptions, PHONE, table } from '../desk';
import { insertOldBuilds, LONG_BRANCH } from './old-builds';

describe('the trash and pins of a project in the dashboard', () => {
  let desk: Desk;
  let ann: Developer;
  let organization: OrganizationRef;
  let project: ProjectRef;
  let visit: Visit;
  let page: Page;

  const upload = (buildNumber: number, of = project): Promise<BuildJson> =>
    ann.uploads(
      of,
      {
        bytes: apkOf({ name: 'Rocket', bundleId: 'com.example.rocket', version: `2.0.${buildNumber}`, buildNumber }),
        fileName: 'Rocket.apk',
      },
      { branch: LONG_BRANCH },
    );
  beforeAll(async () => {
    desk = await Desk.start();
    ann = await desk.app.developer();
    organization = await ann.createsOrganization('Acme');
  });
  beforeEach(async () => {
    project = await ann.createsProject(organization);
  });
  afterEach(() => desk.endVisits());
  afterAll(() => desk?.stop());

  const path = (rest: string): string => `/o/${organization.id}/p/${project.id}/${rest}`;
  const open = async (rest: string, options: DeskOptions = {}, developer = ann): Promise<void> => {
    visit = await desk.open(developer, path(rest), options);
    page = visit.page;
  };
  const button = (name: string, within: Page | Locator = page): Locator =>
    within.getByRole('button', { name, exact: true });
  const heading = (name: string): Locator => page.getByRole('heading', { name, exact: true });
  const status = (text: string): Locator => page.getByRole('status').filter({ hasText: text });
  const pick = (name: string): Locator => page.getByRole('checkbox', { name: `Select ${name}`, exact: true });
  const row = (text: string): Locator => table(page, 'Trash').getByRole('row').filter({ hasText: text });
  const moves = (...builds: readonly BuildJson[]) =>
    ann.post(`/builds/delete?${scope(project)}`, { ids: builds.map(({ id }) => id) }).expect(200);
  const isThere = async ({ id }: BuildJson): Promise<boolean> =>
    (await ann.get(`/builds/${id}?${scope(project)}`)).status === 200;

  it('shows the icon of the app beside deleted builds, whose own icons are no longer served', async () => {
    const old = await ann.uploads(project, { bytes: ipa(), fileName: 'Demo.ipa' });
    await ann.uploads(project, { bytes: ipa({ info: { CFBundleVersion: '43' } }), fileName: 'Demo.ipa' });
    await moves(old);
    await open('trash');
    // red when: a letter stands for an app that has an icon
    await row('1.2.3 (42)').locator('img').waitFor();
  });

  it('lists deleted builds, restores them with their links, and deletes them permanently', async () => {
    const [one, two, three, four] = [await upload(1), await upload(2), await upload(3), await upload(4)];
    await moves(one, two, three, four);
    await open('builds');
    await button('More actions for builds').press('Enter');
    await page.getByRole('menuitem', { name: 'Trash', exact: true }).press('Enter');
    await heading('Trash').waitFor();
    await row('2.0.1').getByText(`by ${ann.email}`).waitFor();
    await page.getByText(/^The files take 10\skB/).waitFor();
    expect(await row('2.0.1').getByTitle(LONG_BRANCH).count()).toBe(1);
    await desk.expectAccessible(visit, 'trash');

    await pick('2.0.1 (1)').press('Space');
    await pick('2.0.2 (2)').press('Space');
    const selection = page.getByRole('region', { name: 'Selection', exact: true });
    await visit.screenshot('dashboard-trash-selection');
    await button('Restore', selection).press('Enter');
    await status('2 builds were restored with their links.').waitFor();
    await row('2.0.1').waitFor({ state: 'detached' });
    expect([await isThere(one), await isThere(two), await isThere(three)]).toEqual([true, true, false]);
    expect((await fetch(one.install_url)).status).toBe(200);

    await button('Actions for 2.0.3 (3)').press('Enter');
    await page.getByRole('menuitem', { name: 'Restore', exact: true }).press('Enter');
    await status('1 build was restored with its links.').waitFor();
    await button('Actions for 2.0.4 (4)').press('Enter');
    await page.getByRole('menuitem', { name: 'Delete permanently', exact: true }).press('Enter');
    const question = page.getByRole('alertdialog', { name: 'Delete 1 build permanently?', exact: true });
    expect(await visit.accessibilityIssues()).toEqual([]);
    await visit.screenshot('dashboard-trash-question');
    await button('Delete permanently', question).press('Enter');
    await status('1 build was deleted permanently.').waitFor();
    await heading('The trash is empty').waitFor();
    await desk.expectAccessible(visit, 'trash-empty');
    await ann
      .post(`/builds/restore?${scope(project)}`, { ids: [four.id] })
      .expect(({ body }) => expect(body).toMatchObject({ restored: 0 }));
  });

  // red when: Undo restores nothing, or the message offers it for builds that stayed
  it('takes deletions back with Undo', async () => {
    const [one, two] = [await upload(1), await upload(2)];
    await open(`builds/${one.id}`);
    await button('More actions').click();
    await page.getByRole('menuitem', { name: 'Delete build', exact: true }).click();
    await button('Delete build', page.getByRole('alertdialog')).click();
    await status('2.0.1 (1) is in the trash for seven days.').waitFor();
    expect(await isThere(one)).toBe(false);
    await button('Undo').press('Enter');
    await status('1 build is back, with its links.').waitFor();
    expect(await isThere(one)).toBe(true);
    await pick('2.0.1 (1) Android').check();
    await pick('2.0.2 (2) Android').check();
    await button('Delete 2 builds').click();
    await button('Delete 2 builds', page.getByRole('alertdialog')).click();
    await heading('No builds yet').waitFor();
    await visit.screenshot('dashboard-builds-undo');
    await button('Undo').click();
    await status('2 builds are back, with their links.').waitFor();
    expect([await isThere(one), await isThere(two)]).toEqual([true, true]);
  });

  // red when: the question offers to delete a pinned build, or a build that was pinned meanwhile disappears without a reason
  it('pins builds on their screen and in the list; pinned builds stay, with the reason', async () => {
    const [one, two, three] = [await upload(1), await upload(2), await upload(3)];
    await open(`builds/${one.id}`);
    await button('More actions').press('Enter');
    await page.getByRole('menuitem', { name: 'Pin', exact: true }).press('Enter');
    await status('1 build is pinned: it is not deleted.').waitFor();
    await page.getByText('Pinned', { exact: true }).waitFor();
    await desk.expectAccessible(visit, 'build-pinned');
    await button('More actions').click();
    await page.getByRole('menuitem', { name: 'Delete build', exact: true }).click();
    await page.getByText('This build is pinned. Unpin it first.', { exact: true }).first().waitFor();
    await page.keyboard.press('Escape');

    await desk.go(visit, path('builds'));
    await pick('2.0.1 (1) Android').check();
    await pick('2.0.2 (2) Android').check();
    await button('Pin').press('Enter');
    await status('1 build is pinned: it is not deleted.').waitFor();
    await until(async () => (await page.getByRole('row').getByText('Pinned', { exact: true }).count()) === 2);
    await desk.expectAccessible(visit, 'builds-pinned');
    await pick('2.0.2 (2) Android').check();
    await pick('2.0.3 (3) Android').check();
    await button('Delete 2 builds').click();
    const question = page.getByRole('alertdialog', { name: 'Delete 1 build?', exact: true });
    await question.getByText('2.0.2 (2) Android stays: it is pinned. Unpin it first.').waitFor();
    await page.route('**/api/v1/builds/delete*', async (route) => {
      await ann.patch(`/builds/${three.id}?${scope(project)}`, { pinned: true }).expect(200);
      await route.continue();
    });
    await button('Delete 1 build', question).click();
    const kept = page.getByRole('region', { name: '1 build was not deleted', exact: true });
    await kept.getByText('2.0.3 (3) Android stays: it is pinned. Unpin it first.').waitFor();
    expect(await button('Undo').count()).toBe(0);
    await pick('2.0.2 (2) Android').check();
    await button('Unpin').press('Enter');
    await status('1 build is no longer pinned.').waitFor();
    expect((await ann.get(`/builds/${two.id}?${scope(project)}`)).body).toMatchObject({ pinned: false });
  });

  // red when: one request deletes only the first 500, or the deletion is not the one that was previewed
  it('deletes old builds by conditions after a preview, all of them, and takes it back', async () => {
    const newest = await upload(1);
    await insertOldBuilds(desk, newest, project, 503, LONG_BRANCH);
    await open('builds');
    await button('More actions for builds').press('Enter');
    await page.getByRole('menuitem', { name: 'Delete old builds', exact: true }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Delete old builds', exact: true });
    const days = dialog.getByRole('spinbutton', { name: 'Older than', exact: true });
    await button('Delete 503 builds', dialog).waitFor();
    await dialog.getByText('and 495 more', { exact: true }).waitFor();
    await desk.expectAccessible(visit, 'builds-delete-matching');
    await days.fill('');
    await dialog.getByRole('status').filter({ hasText: 'Set a condition' }).waitFor();
    await dialog.getByRole('textbox', { name: 'Branch', exact: true }).fill('pr-*');
    await dialog.getByRole('status').filter({ hasText: 'No build meets the conditions' }).waitFor();
    await visit.screenshot('dashboard-builds-delete-matching-none');
    await days.fill('101');
    await dialog.getByRole('textbox', { name: 'Branch', exact: true }).fill('feature/*');
    await days.fill('30');
    await button('Delete 503 builds', dialog).waitFor();
    await days.press('Enter');
    await status('503 builds are in the trash for seven days.').waitFor({ timeout: 60_000 });
    await dialog.waitFor({ state: 'detached' });
    await status('1 build').first().waitFor();
    expect(await isThere(newest)).toBe(true);
    await button('Undo').click();
    await status('503 builds are back, with their links.').waitFor({ timeout: 60_000 });
    // The service ends a stream of events that its reader does not read fast enough, and the page opens another one.
    visit.problems.splice(0).forEach((problem) => expect(problem).toContain('ERR_INCOMPLETE_CHUNKED_ENCODING'));
  });

  // red when: an expired preview closes the dialog, or is shown by its code
  it('counts again when the preview has expired', async () => {
    await insertOldBuilds(desk, await upload(1), project, 3, 'main');
    await open('builds?delete=1');
    const dialog = page.getByRole('dialog', { name: 'Delete old builds', exact: true });
    await page.route('**/api/v1/builds/delete?*', (route) =>
      route.fulfill({
        status: 400,
        json: { error: 'operation_not_allowed', message: 'Too old.', details: { reason: 'preview_expired' } },
      }),
    );
    await button('Delete 3 builds', dialog).click();
    await dialog.getByRole('alert').filter({ hasText: 'The count was more than an hour old.' }).waitFor();
    visit.problems.splice(0).forEach((problem) => expect(problem).toContain('400'));
    await page.unroute('**/api/v1/builds/delete?*');
    await button('Delete 3 builds', dialog).click();
    await status('3 builds are in the trash for seven days.').waitFor();
  });

  // red when: the screen of a build in the trash says "Not found" or shows what was read before, or a warning links to a build of the trash
  it('shows a build of the trash at its address, and restores it there', async () => {
    const [first, again] = [await upload(1), await upload(1)];
    await open(`builds/${again.id}`);
    const see = page.getByRole('link', { name: 'See the build', exact: true });
    await see.click();
    await page.waitForURL(`**/builds/${first.id}`);
    await moves(first);
    await page.getByText(/^This build is in the trash until .+\.$/).waitFor();
    await heading('Rocket 2.0.1 (1)').waitFor();
    visit.allowProblems('status of 404');
    await desk.expectAccessible(visit, 'build-in-trash');
    for (const rest of ['/links', '/downloads', '']) {
      await desk.go(visit, path(`builds/${first.id}${rest}`));
      await page.getByText('This build is in the trash until').waitFor();
    }
    await page.getByRole('link', { name: 'Trash', exact: true }).click();
    await heading('Trash').waitFor();

    const same = page.waitForResponse(/sha256=/);
    await desk.go(visit, path(`builds/${again.id}`));
    await page.getByText('uploaded before, as 2.0.1 (1)').waitFor();
    await (await same).finished();
    expect(await see.count()).toBe(0);

    const bob = await desk.app.developer();
    await desk.app.sql(
      `INSERT INTO membership (organization_id, developer_id, roles, created_at) VALUES ($1, $2, '{READ}', now())`,
      [organization.id, bob.id],
    );
    const mine = { visit, page };
    await open(`builds/${first.id}`, { language: 'de', reader: PHONE }, bob);
    await page.getByText('Dieser Build ist bis').waitFor();
    expect(await button('Wiederherstellen').getAttribute('aria-disabled')).toBe('true');
    await desk.expectAccessible(visit, 'build-in-trash-german');
    visit.allowProblems('status of 404');

    ({ visit, page } = mine);
    await desk.go(visit, path(`builds/${first.id}`));
    await button('Restore').press('Enter');
    await status('1 build was restored with its links.').waitFor();
    await button('Promote').waitFor();
    expect(await isThere(first)).toBe(true);
    visit.allowProblems('status of 404');
  });

  it('says why members with a read-only role restore and delete nothing', async () => {
    const one = await upload(1);
    await moves(one);
    const bob = await desk.app.developer();
    await desk.app.sql(
      `INSERT INTO membership (organization_id, developer_id, roles, created_at) VALUES ($1, $2, '{READ}', now())`,
      [organization.id, bob.id],
    );
    await open('trash', {}, bob);
    await pick('2.0.1 (1)').check();
    for (const name of ['Restore', 'Delete permanently'])
      expect(await button(name).getAttribute('aria-disabled')).toBe('true');
    expect(await page.getByText(`by ${ann.email}`).count()).toBe(0);
  });

  // red when: the trash shows the e-mail address of a member whose name is known
  it('speaks German, on a phone, and names who deleted a build', async () => {
    await ann.patch('/developers/me', { name: 'Ann Berg' }).expect(200);
    const builds = [await upload(1), await upload(2)];
    await insertOldBuilds(desk, builds[0]!, project, 3, LONG_BRANCH);
    await moves(...builds);
    await open('trash', { reader: PHONE, language: 'de' });
    await page.getByText('von Ann Berg').first().waitFor();
    await page.getByRole('checkbox', { name: '2.0.1 (1) auswählen', exact: true }).check();
    await button('Endgültig löschen').waitFor();
    await desk.expectAccessible(visit, 'trash-german');
    await desk.go(visit, path('builds?delete=1&branch=feature/**'));
    await button('3 Builds löschen').waitFor();
    await desk.expectAccessible(visit, 'builds-delete-matching-german');
  });
});
