import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Locator, type Page } from 'playwright-core';
import {
  type BuildJson,
  type ChannelJson,
  type Developer,
  type OrganizationRef,
  type ProjectRef,
  scope,
} from '../../../support/actors/actors';
import { ipa } from '../../../support/artifacts/valid-artifacts';
import { USER_AGENTS } from '../../page-scenarios';
import { Desk, PHONE, table } from '../desk';

interface TesterJson {
  readonly id: string;
  readonly email: string;
}

const button = (within: Page | Locator, name: string): Locator => within.getByRole('button', { name, exact: true });
const row = (page: Page, email: string): Locator => table(page, 'Testers').getByRole('row').filter({ hasText: email });
const select = (page: Page, email: string): Promise<void> =>
  page.getByRole('checkbox', { name: `Select ${email}`, exact: true }).check();
const status = (within: Page | Locator, text: string): Promise<void> =>
  within.getByRole('status').filter({ hasText: text }).first().waitFor();
/** The addresses of the list, once it has as many rows. */
async function listed(page: Page, count: string): Promise<string[]> {
  await status(page, count);
  const emails = await table(page, 'Testers').getByRole('rowheader').allInnerTexts();
  return emails.map((text) => text.split('\n').at(-1) ?? '').toSorted();
}

describe('who has the current builds, in the dashboard', () => {
  let desk: Desk;
  let ann: Developer;
  let organization: OrganizationRef;
  let project: ProjectRef;
  let beta: ChannelJson;
  let build: BuildJson;
  let [tessEmail, bobEmail, kimEmail] = ['', '', ''];
  const path = (rest = ''): string => `/o/${organization.id}/p/${project.id}/testers${rest}`;
  const adds = async (email: string): Promise<TesterJson> =>
    (await ann.post(`/testers?${scope(project)}`, { email }).expect(201)).body as TesterJson;
  const subscribes = ({ id }: TesterJson): Promise<unknown> =>
    ann.request('put', `/testers/${id}/subscriptions/${beta.id}?${scope(project)}`).expect(200);
  const invites = ({ id }: TesterJson): Promise<unknown> =>
    ann.post(`/testers/${id}/invite?${scope(project)}`).expect(204);
  /** Installs the build on an iPhone through the link of the latest mail. */
  const installs = async ({ email }: TesterJson): Promise<void> => {
    const { pathname } = await desk.app.mailbox.link(email);
    const headers = { 'User-Agent': USER_AGENTS.iphone };
    const manifest = `${desk.app.url}${pathname}/builds/${build.id}/manifest.plist`;
    const file =
      /<string>(http[^<]*\.ipa)<\/string>/.exec(await (await fetch(manifest, { headers })).text())?.[1] ?? '';
    await (await fetch(desk.app.url + new URL(file).pathname, { headers })).arrayBuffer();
  };
  /** Leaves the project through the link of a mail. */
  const leaves = async ({ email }: TesterJson): Promise<void> => {
    const token = (await desk.app.mailbox.link(email)).pathname.split('/').at(-1);
    await desk.app.anonymous.post(`/install/${token}/decline`).set('Accept', 'application/json').expect(204);
  };

  beforeAll(async () => {
    desk = await Desk.start();
    ann = await desk.app.developer();
    organization = await ann.createsOrganization('Acme');
    await ann.changesPlan(organization, 'business');
  });
  /** A project whose current build one of three testers has. */
  beforeEach(async () => {
    project = await ann.createsProject(organization);
    beta = await ann.createsChannel(project, 'Beta');
    build = await ann.uploads(project, {
      bytes: ipa({ info: { CFBundleShortVersionString: '2.1.0', CFBundleVersion: '210' } }),
      fileName: 'Rocket.ipa',
    });
    await ann.promotes(project, beta, build);
    // Each test reads its own mails.
    const suffix = `${project.id.slice(-8)}@example.com`;
    [bobEmail, kimEmail, tessEmail] = [`bob${suffix}`, `kim${suffix}`, `tess${suffix}`];
    const [tess, bob, kim] = [await adds(tessEmail), await adds(bobEmail), await adds(kimEmail)];
    for (const tester of [tess, bob, kim]) await subscribes(tester);
    await invites(tess);
    await installs(tess);
  });
  afterEach(() => desk.endVisits());
  afterAll(() => desk?.stop());

  // red when: the answer needs a filter for each state, and a union by hand
  it('are listed in two presses from the overview, and those who lack them are reminded', async () => {
    const visit = await desk.open(ann, `/o/${organization.id}/p/${project.id}`);
    const { page } = visit;
    await page.getByRole('navigation').getByRole('link', { name: 'Testers', exact: true }).first().click();
    await button(page, 'Has not the current build').click();
    expect(await listed(page, '2 testers')).toEqual([bobEmail, kimEmail]);
    expect(page.url()).toContain('has_not=current');
    await page.reload();
    expect(await listed(page, '2 testers')).toEqual([bobEmail, kimEmail]);

    await page.getByRole('link', { name: 'iOS 2.1.0 (210) in Beta 2', exact: true }).click();
    await page.getByRole('heading', { name: 'iOS 2.1.0 (210) in Beta', exact: true }).waitFor();
    expect(page.url()).toMatch(/release_id=[0-9a-f-]{36}&adoption=has_not/);
    await page.getByText('1 of 3 has it', { exact: true }).first().waitFor();
    expect(await listed(page, '2 testers')).toEqual([bobEmail, kimEmail]);
    await desk.expectAccessible(visit, 'testers-adoption');

    await button(page, 'Remind 2 testers').focus();
    await page.keyboard.press('Enter');
    const question = page.getByRole('dialog', { name: 'Remind 2 testers', exact: true });
    await question.getByText('2.1.0 (210) in Beta').waitFor();
    await desk.expectAccessible(visit, 'testers-remind');
    await button(question, 'Remind 2 testers').click();
    await status(page, '2 reminders were sent.');
    await page.getByText('Last reminder').waitFor();
    await button(page, 'Remind 2 testers').click();
    await button(question, 'Remind 2 testers').click();
    const result = page.getByRole('dialog', { name: 'Result', exact: true });
    await status(result, '0 reminders were sent.');
    await result.getByText('2 skipped: reminded in the last 24 hours').waitFor();
    await button(result, 'Close').last().click();

    await page.getByRole('link', { name: 'Has it 1', exact: true }).click();
    expect(await listed(page, '1 tester')).toEqual([tessEmail]);
    const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Export CSV').click()]);
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
    expect(lines).toEqual([expect.stringMatching(/^email,.*adoption/), expect.stringContaining(tessEmail)]);
    await button(page, 'Show all testers').click();
    expect(await listed(page, '3 testers')).toEqual([bobEmail, kimEmail, tessEmail]);
  });

  it('are filtered by a build or a release of the address, which is named and can be left', async () => {
    const visit = await desk.open(ann, path(`?build_id=${build.id}&adoption=has_it`));
    const { page } = visit;
    await page.getByRole('heading', { name: 'iOS 2.1.0 (210)', exact: true }).waitFor();
    expect(await listed(page, '1 tester')).toEqual([tessEmail]);
    await page.getByRole('link', { name: 'Has it not 2', exact: true }).click();
    expect(await listed(page, '2 testers')).toEqual([bobEmail, kimEmail]);
    await button(page, 'Show all testers').click();
    expect(await listed(page, '3 testers')).toEqual([bobEmail, kimEmail, tessEmail]);
    const { body } = await ann.get(`/projects/${project.id}/adoption?organization_id=${organization.id}`).expect(200);
    const [{ release_id: release }] = (body as { items: [{ release_id: string }] }).items;
    await visit.open(desk.app.address + path(`?release_id=${release}`));
    expect(await listed(page, '2 testers')).toEqual([bobEmail, kimEmail]);
    // A release that is no longer current is named as such, and can be left.
    await ann.promotes(
      project,
      beta,
      await ann.uploads(project, {
        bytes: ipa({ info: { CFBundleShortVersionString: '2.2.0', CFBundleVersion: '220' } }),
        fileName: 'Rocket.ipa',
      }),
    );
    await page.getByRole('heading', { name: 'A release that is no longer current', exact: true }).waitFor();
    await button(page, 'Show all testers').click();
    expect(await listed(page, '3 testers')).toEqual([bobEmail, kimEmail, tessEmail]);
  });

  // red when: an empty page that is not the last one is shown as "nothing found"
  it('are searched further when a page has found none yet', async () => {
    const visit = await desk.open(ann, path());
    const { page } = visit;
    await status(page, '3 testers');
    await page.route('**/api/v1/testers?*has_not=current*', (route, request) => {
      const url = new URL(request.url());
      if (!url.searchParams.get('cursor')) return route.fulfill({ json: { items: [], next_cursor: 'further' } });
      url.searchParams.delete('cursor');
      return route.continue({ url: String(url) });
    });
    await button(page, 'Has not the current build').click();
    await status(page, 'Nothing found yet. Older entries were not searched.');
    expect(await page.getByText('Nothing matches').count()).toBe(0);
    await button(page, 'Load more').click();
    expect(await listed(page, '2 testers')).toEqual([bobEmail, kimEmail]);
  });

  it('are changed together: subscribed, invited and erased, with those who are skipped', async () => {
    const store = await ann.createsChannel(project, 'Store');
    const eve = await adds('eve@example.com');
    await invites(eve);
    await leaves(eve);
    const visit = await desk.open(ann, path());
    const { page } = visit;
    for (const email of [bobEmail, kimEmail, eve.email]) await select(page, email);
    await page.getByText('3 testers selected', { exact: true }).waitFor();
    // The bar covers rows, whose contrast cannot be decided then.
    await visit.expectAccessible('dashboard-testers-selected', { within: 'section[aria-label=Selection]' });
    await visit.resize(1280, 'light');
    await button(page, 'Subscribe').click();
    const subscribing = page.getByRole('dialog', { name: 'Subscribe 3 testers', exact: true });
    await subscribing.getByRole('combobox', { name: 'Channel', exact: true }).selectOption(store.id);
    await desk.expectAccessible(visit, 'testers-bulk');
    await button(subscribing, 'Subscribe 3 testers').click();
    const result = page.getByRole('dialog', { name: 'Result', exact: true });
    await status(result, '2 testers were subscribed.');
    await result.getByText('1 skipped: left by themselves').waitFor();
    await result.getByText(eve.email).waitFor();
    await button(result, 'Close').last().click();
    await page.getByRole('checkbox', { name: `Store for ${bobEmail}`, exact: true, checked: true }).waitFor();

    for (const email of [bobEmail, kimEmail]) await select(page, email);
    await button(page, 'Send invitations').click();
    const inviting = page.getByRole('dialog', { name: 'Invite 2 testers', exact: true });
    await button(inviting, 'Invite 2 testers').click();
    await status(page, '2 invitations were sent.');
    expect((await desk.app.mailbox.latest(bobEmail)).text).toContain('invites you to test');

    // red when: the first channel is proposed, which none of the testers may be subscribed to
    await ann.createsChannel(project, 'Alpha');
    await page.reload();
    for (const email of [bobEmail, kimEmail]) await select(page, email);
    await button(page, 'Unsubscribe').click();
    const leaving = page.getByRole('dialog', { name: 'Unsubscribe 2 testers', exact: true });
    const proposed = leaving.getByRole('combobox', { name: 'Channel', exact: true });
    await proposed.locator('option', { hasText: 'Alpha' }).waitFor({ state: 'attached' });
    expect([beta.id, store.id]).toContain(await proposed.inputValue());
    await button(leaving, 'Cancel').click();

    await button(page, 'Erase').click();
    const erasing = page.getByRole('dialog', { name: 'Erase 2 testers', exact: true });
    const confirmation = erasing.getByRole('textbox', { name: 'Type 2 to confirm', exact: true });
    await confirmation.fill('3');
    await button(erasing, 'Erase 2 testers').click();
    await erasing.getByText('Type the number of testers.', { exact: true }).waitFor();
    await confirmation.fill('2');
    await button(erasing, 'Erase 2 testers').click();
    await status(page, '2 testers were erased.');
    for (const email of [bobEmail, kimEmail])
      await page.getByRole('row').filter({ hasText: email }).waitFor({ state: 'detached' });
    expect(await listed(page, '2 testers')).toEqual([eve.email, tessEmail]);
  });

  it('are invited when they are added, if their channel has a build', async () => {
    await ann.createsChannel(project, 'Empty');
    const { page } = await desk.open(ann, path('?add=1'));
    const adding = page.getByRole('dialog', { name: 'Add testers', exact: true });
    const now = adding.getByRole('checkbox', { name: 'Invite now', exact: true });
    await adding.getByRole('textbox', { name: 'E-mail addresses', exact: true }).fill(`lee@example.com ${tessEmail}`);
    await adding.getByRole('checkbox', { name: 'Empty', exact: true }).check();
    expect(await now.isChecked()).toBe(false);
    await adding.getByRole('checkbox', { name: 'Empty', exact: true }).uncheck();
    await adding.getByRole('checkbox', { name: 'Beta', exact: true }).check();
    expect(await now.isChecked()).toBe(true);
    await button(adding, 'Add testers').click();
    // A tester who was subscribed before gets no second mail.
    await status(page, '1 added, 1 known, 1 invited');
    expect((await desk.app.mailbox.latest('lee@example.com')).text).toContain('invites you to test');
    expect(await listed(page, '4 testers')).toContain('lee@example.com');
  });

  // red when: the bar appears with its counts, above a list that is there
  it.each(['?has_not=current', 'release'])('do not move the list when their counts arrive (%s)', async (filter) => {
    const { body } = await ann.get(`/projects/${project.id}/adoption?organization_id=${organization.id}`).expect(200);
    const [release] = (body as { items: { release_id: string }[] }).items;
    const address = path(filter === 'release' ? `?release_id=${release!.release_id}&adoption=has_not` : filter);
    const { page } = await desk.open(ann, path());
    let arrive = (): void => undefined;
    const arrived = new Promise<void>((resolve) => (arrive = resolve));
    await page.route(/\/api\/.*\/adoption/, async (route) => {
      await arrived;
      await route.continue();
    });
    await page.goto(desk.app.address + address);
    await row(page, bobEmail).waitFor();
    const before = await row(page, bobEmail).boundingBox();
    arrive();
    await page.getByText('iOS 2.1.0 (210) in Beta').first().waitFor();
    expect(await row(page, bobEmail).boundingBox()).toEqual(before);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  // red when: each row has a checkbox for each of many channels, or a phone shows them
  it('have low rows in a project with many channels with long names', async () => {
    const long = 'Interne Qualitätssicherung Süddeutschland';
    for (let at = 0; at < 4; at++) await ann.createsChannel(project, `${long} ${at}`);
    const heights = (page: Page): Promise<number[]> =>
      page.evaluate('[...document.querySelectorAll("tbody tr")].map((one) => one.getBoundingClientRect().height)');
    const visit = await desk.open(ann, path());
    const { page } = visit;
    await row(page, bobEmail).getByText('Beta', { exact: true }).waitFor();
    expect(Math.max(...(await heights(page)))).toBeLessThanOrEqual(64);
    await desk.expectAccessible(visit, 'testers-many-channels');
    const phone = await desk.open(ann, path(), { reader: PHONE });
    await row(phone.page, bobEmail).waitFor();
    expect(Math.max(...(await heights(phone.page)))).toBeLessThanOrEqual(104);
    expect(await phone.page.getByRole('checkbox', { name: `Beta for ${bobEmail}`, exact: true }).count()).toBe(0);
    await page.getByRole('link', { name: bobEmail, exact: true }).click();
    await page.getByRole('checkbox', { name: `Beta for ${bobEmail}`, exact: true }).waitFor();
  });

  // red when: the page is not read, because a change of somebody else arrives while it is read
  it('stay readable among ten thousand, with long addresses, in German and on a phone', async () => {
    await desk.app.sql(
      `INSERT INTO tester (id, organization_id, project_id, email, email_key, name, platforms, created_at)
       SELECT gen_random_uuid(), $1, $2, address, address, name, '{}', now() + n * interval '1 ms'
       FROM generate_series(1, 9997) AS n,
         LATERAL (SELECT 'a.very.long.address.of.a.tester.' || n || '@departement.subsidiary.example.com') AS a (address),
         LATERAL (SELECT CASE WHEN n % 2 = 0 THEN 'Maximiliane von und zu Hohenstein-Unterberg ' || n END) AS b (name)`,
      [organization.id, project.id],
    );
    const visit = await desk.open(ann, path(), { language: 'de' });
    const { page } = visit;
    await status(page, '50 von 10.000 Testern');
    const heights = await page.evaluate<number[]>(
      '[...document.querySelectorAll("tbody tr")].map((one) => one.getBoundingClientRect().height)',
    );
    expect(Math.max(...heights)).toBeLessThanOrEqual(64);
    await visit.screenshot('testers-many');
    await page.route('**/api/v1/testers?*cursor=*', async (route) => {
      await ann.createsChannel(project, 'Meanwhile');
      await sleep(3_000);
      await route.continue();
    });
    await button(page, 'Mehr laden').click();
    await status(page, '250 von 10.000 Testern');
    await page.unroute('**/api/v1/testers?*cursor=*');
    expect(await table(page, 'Tester').getByRole('row').count()).toBe(251);
    await page.getByRole('searchbox', { name: 'Tester suchen', exact: true }).fill('tester.9997@');
    await status(page, '1 Tester');
    const phone = await desk.open(ann, path(), { reader: PHONE, language: 'de' });
    await status(phone.page, '50 von 10.000 Testern');
    expect(await phone.overflow()).toBe(0);
    await phone.screenshot('testers-many-phone');
  });

  it('are a matter of the role Manage testers: a viewer selects none, and filters by activity are left out', async () => {
    const viewer = await desk.app.developer();
    await desk.app.sql(`INSERT INTO membership VALUES ($1, $2, '{READ}', now())`, [organization.id, viewer.id]);
    const { page } = await desk.open(viewer, path('?has_not=current'));
    expect(await listed(page, '3 testers')).toEqual([bobEmail, kimEmail, tessEmail]);
    expect(await page.getByRole('checkbox', { name: `Select ${bobEmail}`, exact: true }).count()).toBe(0);
    expect(await button(page, 'Has not the current build').count()).toBe(0);
    await row(page, bobEmail).waitFor();
    // red when: each row has a dash for what the role does not see
    expect(await table(page, 'Testers').getByText('–', { exact: true }).count()).toBe(0);
    expect(await page.getByRole('columnheader', { name: 'Last download', exact: true }).count()).toBe(0);
  });
});
