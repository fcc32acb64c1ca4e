import { type Locator, type Page } from 'playwright-core';
import {
  type BuildJson,
  type ChannelJson,
  type Developer,
  type OrganizationRef,
  type ProjectRef,
  scope,
} from '../../../support/actors/actors';
import { apkOf, ipaOf } from '../../../support/artifacts/app-artifacts';
import { ipa } from '../../../support/artifacts/valid-artifacts';
import { until } from '../../../support/until';
import { type Visit } from '../../browser';
import { Desk, PHONE, table } from '../desk';

/** The list of builds of a project. */
describe('the builds in the dashboard', () => {
  let desk: Desk;
  let ann: Developer;
  let organization: OrganizationRef;
  let project: ProjectRef;
  let beta: ChannelJson;
  let builds: Record<'old' | 'current' | 'android', BuildJson>;
  let visit: Visit;
  let page: Page;

  const upload = (make: typeof ipaOf, version: string, buildNumber: number, fields: Record<string, string> = {}) =>
    ann.uploads(
      project,
      {
        bytes: make({ name: 'Rocket', bundleId: 'com.example.rocket', version, buildNumber }),
        fileName: make === ipaOf ? 'Rocket.ipa' : 'Rocket.apk',
      },
      fields,
    );
  beforeAll(async () => {
    desk = await Desk.start();
    ann = await desk.app.developer();
    await ann.patch('/developers/me', { name: 'Ann' }).expect(200);
    organization = await ann.createsOrganization('Acme');
    await ann.changesPlan(organization, 'business');
    project = await ann.createsProject(organization, 'Rocket');
    beta = await ann.createsChannel(project, 'Beta');
    const source = { commit: 'a1b2c3d4e5f6', ci_url: 'https://ci.example.com/jobs/210' };
    const old = await upload(ipaOf, '2.0.8', 208, { branch: 'release/2', commit: '9f8e7d6c5b' });
    const android = await upload(apkOf, '2.0.9', 209, { branch: 'release/2' });
    const current = await upload(ipaOf, '2.1.0', 210, { branch: 'main', ...source });
    builds = { old, current, android };
    await ann.promotes(project, beta, current);
  });
  afterEach(() => desk.endVisits());
  afterAll(() => desk.stop());

  const address = (of = project): string => `/o/${organization.id}/p/${of.id}/builds`;
  const open = async (developer = ann, path = address(), options = {}): Promise<void> => {
    visit = await desk.open(developer, path, options);
    page = visit.page;
  };
  const heading = (name: string): Locator => page.getByRole('heading', { name, exact: true });
  const button = (name: string): Locator => page.getByRole('button', { name, exact: true });
  const status = (text: string): Locator => page.getByRole('status').filter({ hasText: text });
  const search = (): Locator => page.getByRole('searchbox', { name: 'Search builds', exact: true });
  const choice = (name: string): Locator => page.getByRole('combobox', { name, exact: true });
  const row = (version: string): Locator => table(page, 'Builds').getByRole('row').filter({ hasText: version });
  const pick = (name: string): Locator => page.getByRole('checkbox', { name: `Select ${name}`, exact: true });
  const hasSearch = (query: string): Promise<void> =>
    until(() => decodeURIComponent(new URL(page.url()).search) === query);
  const insert = async (count: number): Promise<ProjectRef> => {
    const other = await ann.createsProject(organization);
    await desk.app.sql(
      `INSERT INTO build SELECT copy.* FROM build AS b, generate_series(1, $3::int) AS n, jsonb_populate_record(NULL::build,
         to_jsonb(b) || jsonb_build_object('id', gen_random_uuid(), 'project_id', $2::uuid, 'version', '3.' || n,
           'blob_key', gen_random_uuid(), 'icon_media_type', null)) AS copy
       WHERE b.id = $1`,
      [builds.old.id, other.id, count],
    );
    return other;
  };

  it('shows the facts, the source and the channels of each build', async () => {
    await open();
    await heading('Builds').waitFor();
    await status('3 builds').waitFor();
    expect(await page.title()).toBe('Builds · Rocket · Agate');
    const columns = await table(page, 'Builds').getByRole('columnheader').allTextContents();
    expect(columns.filter(Boolean)).toEqual(
      expect.arrayContaining(['Build', 'Source', 'Uploaded', 'Downloads', 'Size']),
    );
    for (const text of ['2.1.0 (210)', 'iOS', 'ad hoc', 'main', 'a1b2c3d', 'Beta']) {
      await row('2.1.0').getByText(text).first().waitFor();
    }
    await row('2.1.0').getByTitle('by Ann', { exact: true }).waitFor();
    await desk.expectAccessible(visit, 'builds');
  });

  // red when: typing loses the focus or letters, or the filter is not in the address
  it('searches while the developer types, and keeps search and filters in the address over Back and reload', async () => {
    await open();
    await search().pressSequentially('2.1.0', { delay: 40 });
    await hasSearch('?q=2.1.0');
    await status('1 build').waitFor();
    await search().and(page.locator(':focus')).waitFor();
    expect(await search().inputValue()).toBe('2.1.0');
    await page.getByRole('link', { name: '2.1.0 (210)', exact: true }).click();
    await heading('Rocket 2.1.0 (210)').waitFor();
    await page.goBack();
    await heading('Builds').waitFor();
    expect(await search().inputValue()).toBe('2.1.0');
    await status('1 build').waitFor();
    await page.reload();
    await status('1 build').waitFor();
    expect(await search().inputValue()).toBe('2.1.0');
    await choice('Platform').selectOption({ label: 'Android' });
    await hasSearch('?q=2.1.0&platform=android');
    await heading('Nothing matches').waitFor();
    await visit.screenshot('dashboard-builds-nothing');
    await button('Clear filters').click();
    await hasSearch('');
    await status('3 builds').waitFor();
    expect(await search().inputValue()).toBe('');
    await choice('Branch').selectOption('release/2');
    await hasSearch('?branch=release/2');
    await status('2 builds').waitFor();
    await page.goBack();
    await status('3 builds').waitFor();
    expect(await choice('Branch').inputValue()).toBe('');
  });

  it('loads 50 at a time, and follows pages that a filter leaves empty', async () => {
    const many = await insert(60);
    await open(ann, address(many));
    await status('50 builds').waitFor();
    await button('Load more').click();
    await status('60 builds').waitFor();
    expect(await button('Load more').count()).toBe(0);
    await desk.go(visit, `${address(many)}?installable=false`);
    await heading('Nothing matches').waitFor();
    await until(async () => (await choice('Problems').inputValue()) === 'blocked');
    await choice('Problems').selectOption('');
    await status('50 builds').waitFor();
  });

  // red when: the rows wait for the requests that search the older builds, or these are not sent
  it('shows what the first request finds while older builds are searched', async () => {
    const many = await insert(5100);
    for (const [end, version] of [
      ['max', '7.7.1'],
      ['min', '7.7.2'],
    ])
      await desk.app.sql(
        `UPDATE build SET version = $2 WHERE id = (SELECT ${end}(id::text)::uuid FROM build WHERE project_id = $1)`,
        [many.id, version],
      );
    await open(ann, address(many));
    await status('50 builds').waitFor();
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route(/\/api\/v1\/builds\?.*cursor=[^&]/, (route) => released.then(() => route.continue()));
    await search().fill('7.7.');
    await status('1 build so far').waitFor();
    expect(await table(page, 'Builds').getByRole('row').count()).toBe(2);
    release();
    await row('7.7.2').waitFor();
    await status('2 builds').waitFor();
  });

  it('explains how to upload builds when there are none', async () => {
    const empty = await ann.createsProject(organization);
    await open(ann, address(empty));
    await heading('No builds yet').waitFor();
    await button('Choose file').waitFor();
    await page.getByText(`project_id=${empty.id}`).waitFor();
    await status('0 builds').waitFor();
    await desk.expectAccessible(visit, 'builds-empty');
  });

  // red when: the question counts builds that stay, or tells two builds of one version apart by nothing
  it('deletes the selected builds by keyboard; a current build stays, with the reason', async () => {
    await open();
    await pick('2.1.0 (210) iOS').press('Space');
    await pick('2.0.9 (209) Android').press('Space');
    const selection = page.getByRole('region', { name: 'Selection', exact: true });
    await selection.getByText('2 selected', { exact: true }).waitFor();
    await visit.screenshot('dashboard-builds-selection');
    await selection.getByRole('button', { name: 'Delete 2 builds', exact: true }).press('Enter');
    const question = page.getByRole('alertdialog', { name: 'Delete 1 build?', exact: true });
    await question.getByText('2.1.0 (210) iOS stays: it is current in Beta.').waitFor();
    expect(await visit.accessibilityIssues()).toEqual([]);
    await visit.screenshot('dashboard-builds-delete');
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    await selection.getByRole('button', { name: 'Delete 2 builds', exact: true }).press('Enter');
    await question.getByRole('button', { name: 'Delete 1 build', exact: true }).press('Enter');
    await status('1 build is in the trash for seven days.').waitFor();
    await status('2 builds').waitFor();
    expect(await row('2.0.9').count()).toBe(0);
  });

  // red when: a refused deletion hides which build stays and why, or does so if the promotion is shown before the response arrives
  it('names a build that was promoted while the question was open', async () => {
    const late = await upload(ipaOf, '2.1.1', 211);
    await open();
    await pick('2.1.1 (211) iOS').check();
    await button('Delete 1 build').click();
    await page.route('**/api/v1/builds/delete*', async (route) => {
      await ann.promotes(project, beta, late);
      const response = await route.fetch();
      await row('2.1.1').getByText('Beta').first().waitFor();
      await route.fulfill({ response });
    });
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete 1 build', exact: true }).click();
    const kept = page.getByRole('region', { name: '1 build was not deleted', exact: true });
    await kept.getByText('2.1.1 (211) iOS stays: it is current in Beta.').waitFor();
    expect(await visit.accessibilityIssues()).toEqual([]);
    await visit.screenshot('dashboard-builds-kept');
    await button('Dismiss').first().click();
    await kept.waitFor({ state: 'detached' });
    // An open page could request the icon of the deleted build and report the 404.
    await desk.endVisits();
    await ann.promotes(project, beta, builds.current);
    await ann.delete(`/builds/${late.id}?${scope(project)}&permanently=true`).expect(204);
  });

  // red when: the question about builds that all stay has a button that deletes none
  it('does not offer to delete builds that all stay', async () => {
    await open();
    await pick('2.1.0 (210) iOS').check();
    await button('Delete 1 build').click();
    const question = page.getByRole('alertdialog', { name: 'These builds stay', exact: true });
    const confirm = question.getByRole('button', { name: 'Delete 0 builds', exact: true });
    expect(await confirm.getAttribute('aria-disabled')).toBe('true');
    await question.getByText('2.1.0 (210) iOS stays').waitFor();
  });

  // red when: columns follow their texts, or the end of a long branch is cut off
  it('keeps one line for each build, also with a long branch, and shows the end of the branch', async () => {
    const long = await ann.createsProject(organization);
    const branch = `feature/very-long-branch-name/with-many-parts/and-a-ticket-ABC-12345-${'x'.repeat(12)}-end`;
    const file = { bytes: ipa({ distribution: 'appstore' }), fileName: 'Rocket.ipa' };
    await ann.uploads(long, file, { branch, commit: 'a1b2c3d4e5f6', ci_url: 'https://ci.example.com/1' });
    await open(ann, address(long));
    const line = table(page, 'Builds').getByRole('row').last();
    await line.getByText('signed for the App Store', { exact: true }).waitFor();
    expect(await line.getByText(/\d warnings?$/).count()).toBe(0);
    for (const width of [1280, 1000, 1920]) {
      await visit.resize(width, 'light');
      expect((await line.boundingBox())!.height).toBeLessThanOrEqual(45);
      if (width >= 1280) expect((await page.getByRole('search').boundingBox())!.height).toBeLessThanOrEqual(45);
      const end = (await line.getByText(branch.slice(-14), { exact: true }).boundingBox())!;
      const whole = (await line.getByTitle(branch).boundingBox())!;
      expect(end.x + end.width).toBeLessThanOrEqual(whole.x + whole.width + 1);
      expect(await visit.overflow()).toBe(0);
    }
    await choice('Problems').selectOption({ label: 'Cannot be installed' });
    await hasSearch('?installable=false');
    await status('1 build').waitFor();
    await desk.expectAccessible(visit, 'builds-problem');
  });

  it('searches the branches of a project with many', async () => {
    const many = await insert(40);
    await desk.app.sql(`UPDATE build SET branch = 'feature/ticket-' || version WHERE project_id = $1`, [many.id]);
    await open(ann, address(many));
    const field = page.getByRole('combobox', { name: 'Branch', exact: true });
    await field.fill('TICKET-3.17');
    await field.press('Enter');
    await hasSearch('?branch=feature/ticket-3.17');
    await status('1 build').waitFor();
    await field.fill('');
    await hasSearch('');
    await status('40 builds').waitFor();
  });

  it('leads from two selected builds to their comparison', async () => {
    await open();
    await pick('2.1.0 (210) iOS').check();
    await pick('2.0.8 (208) iOS').check();
    await page.getByRole('link', { name: 'Compare two builds', exact: true }).click();
    await heading('Compare builds').waitFor();
    await hasSearch(`?from=${builds.old.id}&to=${builds.current.id}`);
    const changes = page.getByRole('region', { name: 'What changes', exact: true });
    await changes.getByText('2.0.8 (208)').waitFor();
    await desk.expectAccessible(visit, 'compare');
    // red when: one build is swapped with none
    await page.getByRole('combobox', { name: 'To', exact: true }).selectOption('');
    expect(await button('Swap').getAttribute('aria-disabled')).toBe('true');
  });

  it('shows members with a read-only role why actions are disabled, and strangers nothing', async () => {
    const bob = await desk.app.developer();
    await desk.app.sql('INSERT INTO membership VALUES ($1, $2, $3, now())', [organization.id, bob.id, ['READ']]);
    await open(bob);
    await status('builds').first().waitFor();
    await pick('2.1.0 (210) iOS').check();
    for (const [name, reason] of [
      ['Delete 1 build', 'Needs the role “Manage releases”'],
      ['Upload build', 'Needs the role “Upload builds”'],
    ] as const) {
      expect(await button(name).getAttribute('aria-disabled')).toBe('true');
      const id = (await button(name).getAttribute('aria-describedby'))!;
      expect(await page.locator(`[id="${id.split(' ').at(-1)}"]`).textContent()).toContain(reason);
    }
    const eve = await desk.app.developer();
    const strange = await desk.visitor();
    await desk.logIn(strange, eve);
    await strange.page.goto(`${desk.app.address}${address()}`);
    await strange.page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor();
    await strange.page.close();
    strange.problems.splice(0);
  });

  // red when: the name of a channel takes the room of the version, or the branch covers the age
  it('shows the whole version beside a channel with a long name on a phone', async () => {
    const place = await ann.createsProject(organization);
    const channel = await ann.createsChannel(place, 'Internal quality assurance of the southern region');
    const build = await ann.uploads(place, { bytes: ipa(), fileName: 'Rocket.ipa' });
    await ann.promotes(place, channel, build);
    await desk.app.sql(`UPDATE build SET branch = 'feature/' || repeat('long-', 16) WHERE project_id = $1`, [place.id]);
    await open(ann, address(place), { reader: PHONE });
    const link = page.getByRole('link', { name: '1.2.3 (42)', exact: true });
    await link.waitFor();
    const isWhole = `(({ scrollWidth, clientWidth }) => scrollWidth === clientWidth)(document.querySelector('tbody th a'))`;
    expect(await page.evaluate<boolean>(isWhole)).toBe(true);
    const [branch, age] = [page.getByTitle(/^feature/), page.getByRole('cell').locator('time')];
    const [left, right] = [(await branch.boundingBox())!, (await age.boundingBox())!];
    expect(left.x + left.width).toBeLessThanOrEqual(right.x);
    expect((await page.getByRole('row').last().boundingBox())!.height).toBeLessThan(90);
    await desk.expectAccessible(visit, 'builds-phone-long');
  });

  it('speaks German, and fits a phone', async () => {
    await open(ann, address(), { language: 'de', reader: PHONE });
    await page.getByRole('searchbox', { name: 'Builds suchen', exact: true }).waitFor();
    await button('Build hochladen').first().waitFor();
    expect(await page.getAttribute('html', 'lang')).toBe('de');
    expect(await visit.overflow()).toBe(0);
    await visit.screenshot('dashboard-builds-phone-de');
    const line = page.getByRole('row').filter({ hasText: '2.0.8' });
    expect((await line.boundingBox())!.height).toBeLessThan(90);
    await button('Filter').click();
    const sheet = page.getByRole('dialog', { name: 'Filter', exact: true });
    await sheet.getByRole('combobox', { name: 'Branch', exact: true }).selectOption('main');
    await sheet.getByRole('button', { name: 'Ergebnisse anzeigen', exact: true }).click();
    await status('1 Build').waitFor();
    await button('Filter (1)').waitFor();
    await visit.screenshot('dashboard-builds-phone-filtered');
  });
});
