import { readFile } from 'node:fs/promises';
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
import { Desk, table } from '../desk';

interface TesterJson {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
  readonly subscriptions: readonly { readonly channel_id: string; readonly state: string }[];
}

const TESS = 'tess@example.com';
const EVE = 'eve@example.com';

const button = (within: Page | Locator, name: string): Locator => within.getByRole('button', { name, exact: true });
const dialog = (page: Page, name: string): Locator => page.getByRole('dialog', { name, exact: true });
const status = (within: Page | Locator, text: string): Locator =>
  within.getByRole('status').filter({ hasText: text }).first();
const toggle = (page: Page, email: string, channel = 'Beta'): Locator =>
  page.getByRole('checkbox', { name: `${channel} for ${email}`, exact: true });
/** A toggle shows its new state in the next frame. */
const expectChecked = (page: Page, email: string): Promise<void> =>
  page.getByRole('checkbox', { name: `Beta for ${email}`, exact: true, checked: true }).waitFor();
const row = (page: Page, email: string): Locator => table(page, 'Testers').getByRole('row').filter({ hasText: email });

/** Chooses an entry of the menu of a tester. */
async function choose(page: Page, email: string, entry: string): Promise<void> {
  await button(page, `Actions for ${email}`).click();
  await page.getByRole('menuitem', { name: entry, exact: true }).click();
}

const csv = (text: string): { name: string; mimeType: string; buffer: Buffer } => ({
  name: 'testers.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(text),
});

describe('testers in the dashboard', () => {
  let desk: Desk;
  let ann: Developer;
  let organization: OrganizationRef;
  let project: ProjectRef;
  let beta: ChannelJson;
  let build: BuildJson;
  const path = (place: ProjectRef, rest = ''): string => `/o/${organization.id}/p/${place.id}/testers${rest}`;
  const upload = (version: string, number: string): Promise<BuildJson> =>
    ann.uploads(project, {
      bytes: ipa({ info: { CFBundleShortVersionString: version, CFBundleVersion: number } }),
      fileName: 'Rocket.ipa',
    });
  const testers = async (place: ProjectRef): Promise<TesterJson[]> =>
    ((await ann.get(`/testers?${scope(place)}`).expect(200)).body as { items: TesterJson[] }).items;
  const adds = async (place: ProjectRef, email: string, name?: string): Promise<TesterJson> =>
    (await ann.post(`/testers?${scope(place)}`, { email, name }).expect(201)).body as TesterJson;
  const subscribes = async (place: ProjectRef, { id }: TesterJson, channel: ChannelJson): Promise<void> => {
    await ann.request('put', `/testers/${id}/subscriptions/${channel.id}?${scope(place)}`).expect(200);
  };
  /** Leaves the project through the link of a mail. */
  const leaves = async (place: ProjectRef, { id, email }: TesterJson): Promise<void> => {
    await ann.post(`/testers/${id}/invite?${scope(place)}`).expect(204);
    const token = (await desk.app.mailbox.link(email)).pathname.split('/').at(-1);
    await desk.app.anonymous.post(`/install/${token}/decline`).set('Accept', 'application/json').expect(204);
  };
  /** Installs a build on an iPhone through the link of the latest mail. */
  const installs = async (email: string, { id }: BuildJson): Promise<void> => {
    const { pathname } = await desk.app.mailbox.link(email);
    const headers = { 'User-Agent': USER_AGENTS.iphone };
    const page = `${desk.app.url}${pathname}/builds/${id}/manifest.plist`;
    const file = /<string>(http[^<]*\.ipa)<\/string>/.exec(await (await fetch(page, { headers })).text())?.[1] ?? '';
    await (await fetch(desk.app.url + new URL(file).pathname, { headers })).arrayBuffer();
  };

  beforeAll(async () => {
    desk = await Desk.start();
    ann = await desk.app.developer();
    organization = await ann.createsOrganization('Acme');
    await ann.changesPlan(organization, 'business');
    project = await ann.createsProject(organization, 'Rocket');
    beta = await ann.createsChannel(project, 'Beta');
    build = await upload('2.1.0', '210');
    await ann.promotes(project, beta, build);
  });
  afterEach(() => desk.endVisits());
  afterAll(() => desk?.stop());

  it('are added by pasting, subscribed, invited, and shown with their installed build', async () => {
    const visit = await desk.open(ann, path(project));
    const { page } = visit;
    await page.getByRole('heading', { name: 'No testers yet', exact: true }).waitFor();
    await desk.expectAccessible(visit, 'testers-empty');
    await button(page, 'Add testers').focus();
    await page.keyboard.press('Enter');
    const adding = dialog(page, 'Add testers');
    await adding.getByRole('group', { name: 'Subscribe to', exact: true }).waitFor();
    expect(page.url()).toContain('add=1');
    await page.keyboard.type('Bob');
    await button(adding, 'Add testers').click();
    await adding.getByText('Not an e-mail address: Bob').waitFor();
    await desk.expectAccessible(visit, 'testers-add');
    const field = adding.getByRole('textbox', { name: 'E-mail addresses', exact: true });
    await field.fill(`Tess <${TESS}>; bob@example.com,\n${TESS}`);
    await button(adding, 'Add testers').focus();
    await page.keyboard.press('Enter');
    await adding.waitFor({ state: 'detached' });
    await status(page, '2 added').waitFor();
    await status(page, '2 testers').waitFor();
    // red when: the channels stand before the state of the tester
    const columns = ['Tester', 'State', 'Last download', 'Channels'];
    const shown = await table(page, 'Testers').getByRole('columnheader').allInnerTexts();
    expect(shown.filter((name) => columns.includes(name))).toEqual(columns);

    await toggle(page, TESS).focus();
    await page.keyboard.press('Space');
    await expectChecked(page, TESS);
    await choose(page, TESS, 'Send invitation');
    await status(page, `An invitation was sent to ${TESS}.`).waitFor();
    await row(page, TESS).getByText('Invited now').waitFor();
    await installs(TESS, build);
    await page.reload();
    await row(page, TESS).getByText('Has 2.1.0 (210)', { exact: true }).waitFor();
    expect(await toggle(page, TESS).isChecked()).toBe(true);
    await ann.promotes(project, beta, await upload('2.2.0', '220'));
    await page.reload();
    await row(page, TESS).getByText('Behind: 2.1.0 (210)', { exact: true }).waitFor();

    await choose(page, 'bob@example.com', 'Send invitation');
    const inviting = dialog(page, 'Invite bob@example.com');
    await inviting
      .getByRole('combobox', { name: 'The link opens', exact: true })
      .selectOption({ label: '2.2.0 (220) · iOS' });
    await button(inviting, 'Send invitation').click();
    await inviting.waitFor({ state: 'detached' });
    expect((await desk.app.mailbox.latest('bob@example.com')).text).toContain('2.2.0');

    await choose(page, TESS, 'Rename');
    await dialog(page, `Rename ${TESS}`).getByRole('textbox', { name: 'Name', exact: true }).fill('Tess Ting');
    await page.keyboard.press('Enter');
    await row(page, TESS).getByRole('link', { name: 'Tess Ting', exact: true }).waitFor();
    // The reload removes the messages above the list.
    await page.reload();
    await toggle(page, TESS).waitFor();
    await desk.expectAccessible(visit, 'testers');
    await choose(page, 'bob@example.com', 'Erase tester');
    const erasing = page.getByRole('alertdialog', { name: 'Erase bob@example.com?', exact: true });
    await erasing.getByRole('textbox').fill('bob@example.com');
    await button(erasing, 'Erase tester').click();
    await row(page, 'bob@example.com').waitFor({ state: 'detached' });
    expect((await testers(project)).map(({ email, name }) => [email, name])).toEqual([[TESS, 'Tess Ting']]);
  });

  it('stay unsubscribed when they left, and the screen says so', async () => {
    const place = await ann.createsProject(organization);
    await ann.createsChannel(place, 'Beta');
    const eve = await adds(place, EVE);
    await leaves(place, eve);
    const visit = await desk.open(ann, path(place));
    const { page } = visit;
    await row(page, EVE).getByText('Left', { exact: true }).waitFor();
    await toggle(page, EVE).click({ force: true });
    expect(await toggle(page, EVE).isChecked()).toBe(false);
    await row(page, EVE).getByText('Only they can come back').first().waitFor();
    await button(page, 'Add testers').click();
    const adding = dialog(page, 'Add testers');
    await adding.getByRole('textbox', { name: 'E-mail addresses', exact: true }).fill(`${EVE} kim@example.com`);
    await adding.getByRole('checkbox', { name: 'Beta', exact: true }).check();
    await button(adding, 'Add testers').click();
    await status(adding, '1 added, 1 left by themselves').waitFor();
    await adding.getByText(EVE).waitFor();
    await desk.expectAccessible(visit, 'testers-left');
    await adding.getByRole('button', { name: 'Close', exact: true }).last().click();
    await toggle(page, 'kim@example.com').waitFor();
    expect(await toggle(page, 'kim@example.com').isChecked()).toBe(true);
    const { subscriptions } = (await testers(place)).find(({ email }) => email === EVE)!;
    expect(subscriptions.filter(({ state }) => state === 'subscribed')).toEqual([]);
  });

  it('are imported after a preview, all or none, and exported', async () => {
    const place = await ann.createsProject(organization);
    await ann.createsChannel(place, 'Beta');
    await adds(place, 'p1@example.com');
    const visit = await desk.open(ann, path(place, '/import'));
    const { page } = visit;
    await page.getByLabel('CSV file').setInputFiles(csv('email,name\np1@example.com,One\nno address,Two\n'));
    await page.getByRole('alert').filter({ hasText: 'Line 3: “no address” is not an e-mail address' }).waitFor();
    await table(page, 'Preview').waitFor();
    await desk.expectAccessible(visit, 'testers-import');
    await button(page, 'Import 1 tester, skip 1').waitFor();
    // Errors that only the service can detect.
    await page.getByRole('textbox', { name: 'Or paste lines', exact: true }).fill('ok@example.com\na..b@example.com');
    await button(page, 'Import 2 testers').click();
    await page.getByRole('alert').filter({ hasText: 'Line 2: ' }).waitFor();
    await button(page, 'Import 1 tester, skip 1').waitFor();
    visit.problems.length = 0;
    expect(await testers(place)).toHaveLength(1);

    const lines = Array.from({ length: 12 }, (_, index) => `p${index + 1}@example.com;Tester ${index + 1}`);
    await page.getByLabel('CSV file').setInputFiles(csv(['email;name', ...lines].join('\r\n')));
    await page.getByRole('checkbox', { name: 'Beta', exact: true }).check();
    await button(page, 'Import 12 testers').focus();
    await page.keyboard.press('Enter');
    await status(page, '11 added, 1 known').waitFor();
    await desk.expectAccessible(visit, 'testers-imported');
    expect((await testers(place)).filter(({ subscriptions }) => subscriptions.length === 1)).toHaveLength(12);
    await page.getByRole('link', { name: 'Show testers', exact: true }).click();
    await status(page, '12 testers').waitFor();
    const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Export CSV').click()]);
    expect(download.suggestedFilename()).toBe('testers.csv');
    expect((await readFile(await download.path(), 'utf8')).trim().split('\r\n')).toHaveLength(13);
  });

  it('are searched and filtered by the address, which a reload and Back keep', async () => {
    const place = await ann.createsProject(organization);
    const [inner, store] = [await ann.createsChannel(place, 'Inner'), await ann.createsChannel(place, 'Store')];
    const tess = await adds(place, TESS, 'Tess');
    await subscribes(place, tess, inner);
    await leaves(place, await adds(place, 'sam@example.com'));
    const { page } = await desk.open(ann, path(place), { language: 'de' });
    await page.getByRole('heading', { name: 'Tester', exact: true, level: 1 }).waitFor();
    await page.getByRole('status').filter({ hasText: '2 Tester' }).waitFor();
    await page.getByRole('combobox', { name: 'Stand', exact: true }).selectOption({ label: 'Abgemeldet' });
    await page.getByRole('status').filter({ hasText: '1 Tester' }).waitFor();
    await page.reload();
    await page.getByRole('status').filter({ hasText: '1 Tester' }).waitFor();
    expect(await table(page, 'Tester').innerText()).toContain('sam@example.com');
    await page.goBack();
    await page.getByRole('status').filter({ hasText: '2 Tester' }).waitFor();
    await page.getByRole('combobox', { name: 'Kanal', exact: true }).selectOption({ label: 'Inner' });
    await page.getByRole('status').filter({ hasText: '1 Tester' }).waitFor();
    expect(page.url()).toContain(`channel=${inner.id}`);
    await page.getByRole('combobox', { name: 'Kanal', exact: true }).selectOption(store.id);
    await page.getByRole('heading', { name: 'Nichts passt', exact: true }).waitFor();
    await button(page, 'Filter zurücksetzen').click();
    await page.getByRole('searchbox', { name: 'Tester suchen', exact: true }).fill('ess@ex');
    await page.waitForURL('**?q=ess%40ex');
    await page.getByRole('status').filter({ hasText: '1 Tester' }).waitFor();
  });

  it('are shown to a viewer, who cannot change them and does not see their activity', async () => {
    const place = await ann.createsProject(organization);
    await ann.createsChannel(place, 'Beta');
    await adds(place, TESS, 'Tess');
    const viewer = await desk.app.developer();
    await desk.app.sql(`INSERT INTO membership VALUES ($1, $2, '{READ}', now())`, [organization.id, viewer.id]);
    const visit = await desk.open(viewer, path(place, '?state=left'));
    const { page } = visit;
    await toggle(page, TESS).waitFor();
    await page.getByText('What testers did is not shown. Needs the role “Manage testers”.').waitFor();
    for (const act of ['Add testers', 'Import CSV', 'Export CSV']) {
      const off = button(page, act);
      expect(await off.getAttribute('aria-disabled')).toBe('true');
      const reason = await off.getAttribute('aria-describedby');
      expect(await page.locator(`[id="${reason}"]`).textContent()).toBe('Needs the role “Manage testers”');
    }
    expect(await toggle(page, TESS).getAttribute('aria-disabled')).toBe('true');
    await button(page, `Actions for ${TESS}`).click();
    for (const entry of await page.getByRole('menuitem').all())
      expect(await entry.getAttribute('aria-disabled')).toBe('true');
    await page.keyboard.press('Escape');
    await desk.expectAccessible(visit, 'testers-viewer');
    await desk.go(visit, path(place, '/import'));
    expect(await button(page, 'Import testers').getAttribute('aria-disabled')).toBe('true');
  });
});
