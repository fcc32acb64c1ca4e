import { readFileSync } from 'node:fs';
import { type Locator, type Page } from 'playwright-core';
import {
  type BuildJson,
  type ChannelJson,
  type Developer,
  type ProjectRef,
  scope,
} from '../../../support/actors/actors';
import { createsLink, type LinkJson } from '../../../support/actors/link-visitor';
import { apk } from '../../../support/artifacts/valid-artifacts';
import { READERS } from '../../browser';
import { Desk, PHONE, table } from '../desk';

const PASSWORD = 'sunny harbour';

describe('the links of a build and of a channel in the dashboard', () => {
  let desk: Desk;
  let ann: Developer;
  let project: ProjectRef;
  let build: BuildJson;
  let channel: ChannelJson;
  beforeAll(async () => {
    desk = await Desk.start();
    ann = await desk.app.developer();
    const organization = await ann.createsOrganization('Tidewater Labs');
    await ann.changesPlan(organization, 'business');
    project = await ann.createsProject(organization, 'Rocket');
    build = await ann.uploads(project, { bytes: apk(), fileName: 'rocket.apk' });
    channel = await ann.createsChannel(project, 'Beta');
    await ann.promotes(project, channel, build);
  });
  afterEach(() => desk.endVisits());
  afterAll(() => desk?.stop());

  const place = (): string => `/o/${project.organizationId}/p/${project.id}`;
  const ofBuild = (): string => `${place()}/builds/${build.id}/links`;
  const linksOf = async (target: string): Promise<LinkJson[]> =>
    ((await ann.get(`/links?${scope(project)}&${target}`).expect(200)).body as { items: LinkJson[] }).items;
  const row = (page: Page, name: string): Locator => table(page, 'Links').getByRole('row').filter({ hasText: name });
  const joinsAsReader = async (): Promise<Developer> => {
    const reader = await desk.app.developer();
    await desk.app.sql(
      `INSERT INTO membership (organization_id, developer_id, roles, created_at) VALUES ($1, $2, '{READ}', now())`,
      [project.organizationId, reader.id],
    );
    return reader;
  };
  const chooses = async (page: Page, name: string, act: string): Promise<void> => {
    await page.getByRole('button', { name: `Actions for ${name}` }).click();
    await page.getByRole('menuitem', { name: act }).click();
  };

  it('are created with rules by keyboard, edited, replaced and deleted', async () => {
    const visit = await desk.open(ann, `${place()}/builds/${build.id}`);
    const { page } = visit;
    await page.getByRole('navigation', { name: 'Parts' }).getByRole('link', { name: 'Links' }).press('Enter');
    await row(page, 'Default link').getByText('Active', { exact: true }).waitFor();
    await desk.expectAccessible(visit, 'links-default');

    await page.getByRole('button', { name: 'New link' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'New link' });
    await dialog.getByLabel('Name').fill('ACME demo');
    await dialog.getByRole('radio', { name: 'Password' }).check();
    await dialog.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
    await dialog.getByLabel('Expires').fill('2020-01-01T10:00');
    await dialog.getByLabel('Maximum of downloads').fill('50');
    await dialog.getByLabel('Terms').fill('Do not share this preview.');
    await visit.expectAccessible('dashboard-links-create', { within: 'dialog' });
    await visit.resize(1280, 'light');
    await dialog.getByLabel('Name').press('Enter');
    await dialog.getByText('Choose a time in the future.').waitFor();
    // red when: a rejected form, another access or Escape loses the password
    await dialog.getByRole('radio', { name: 'Open' }).check();
    await dialog.getByLabel('Expires').fill('2090-01-01T10:00');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'New link' }).click();
    await dialog.getByRole('radio', { name: 'Password' }).check();
    expect(await dialog.getByRole('textbox', { name: 'Password' }).inputValue()).toBe(PASSWORD);
    await dialog.getByRole('button', { name: 'Create link' }).click();
    await page.getByText('The link ACME demo works now.').waitFor();
    await row(page, 'ACME demo').getByText('0 of 50').waitFor();
    const [created] = await linksOf(`build_id=${build.id}`);
    // red when: the message after the creation copies nothing, or another address
    await page.getByRole('button', { name: 'Copy link', exact: true }).click();
    await page.getByText('Copied', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'New link' }).click();
    // The page may not read the clipboard.
    await dialog.getByLabel('Name').press('Control+V');
    expect(await dialog.getByLabel('Name').inputValue()).toBe(created?.install_url);
    await dialog.getByRole('button', { name: '14 days' }).click();
    const end = new Date(await dialog.getByLabel('Expires').inputValue());
    expect(Math.round((end.getTime() - Date.now()) / 86_400_000)).toBe(14);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(created).toMatchObject({ name: 'ACME demo', access: 'password', terms: { version: 1 } });
    expect(created).toMatchObject({ expires_at: expect.stringMatching(/^(2089-12-31|2090-01-01)T/) as string });
    visit.problems.splice(0); // the rejected request

    await chooses(page, 'ACME demo', 'Edit');
    const edit = page.getByRole('dialog', { name: 'Edit ACME demo' });
    // red when: the form starts with the password, or sends it again
    expect(await edit.getByRole('textbox', { name: 'Password' }).inputValue()).toBe('');
    await edit.getByLabel('Name').fill('ACME fair');
    await edit.getByRole('button', { name: 'Save link' }).click();
    await row(page, 'ACME fair').waitFor();
    expect((await linksOf(`build_id=${build.id}`))[0]).toMatchObject({ access: 'password', terms: { version: 1 } });
    await desk.expectAccessible(visit, 'links-two');

    await chooses(page, 'ACME fair', 'Replace link');
    const replace = page.getByRole('alertdialog', { name: 'Replace ACME fair?' });
    await replace.getByText('stop working immediately').waitFor();
    await replace.getByRole('button', { name: 'Replace link' }).click();
    await page.getByText('ACME fair has a new address.').waitFor();
    expect((await linksOf(`build_id=${build.id}`))[0]?.install_url).not.toBe(created?.install_url);

    await chooses(page, 'ACME fair', 'Delete link');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete link' }).click();
    await row(page, 'ACME fair').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Actions for Default link' }).click();
    await page.getByRole('menuitem', { name: 'Delete link' }).hover();
    await page.getByText('The default link cannot be deleted.').filter({ visible: true }).first().waitFor();
    await page.keyboard.press('Escape');
  });

  it('show their states, and a QR code that is saved as PNG', async () => {
    const target = { channel_id: channel.id };
    const fair = await createsLink(ann, project, { ...target, name: 'Fair', access: 'members' });
    const old = await createsLink(ann, project, { ...target, name: 'Old', max_downloads: 1 });
    await desk.app.sql(`UPDATE link_rule SET used_downloads = 1 WHERE invite_id = $1`, [old.id]);
    const ended = await createsLink(ann, project, { ...target, name: 'Ended', expires_at: '2090-01-01T00:00:00Z' });
    await desk.app.sql(`UPDATE link_rule SET expires_at = '2026-01-01' WHERE invite_id = $1`, [ended.id]);
    const visit = await desk.open(ann, `${place()}/channels/${channel.id}/links`);
    const { page } = visit;
    await row(page, 'Old').getByText('Used up', { exact: true }).waitFor();
    await row(page, 'Ended').getByText('Expired', { exact: true }).waitFor();
    await desk.expectAccessible(visit, 'links-states');
    await page.getByRole('button', { name: 'QR code of Fair' }).click();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download PNG' }).click();
    const file = await saved;
    expect(file.suggestedFilename()).toBe('Fair.png');
    expect(readFileSync(await file.path()).readUInt32BE(16)).toBeGreaterThan(400);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Actions for Old' }).click();
    await page.getByRole('menuitem', { name: 'Open as member' }).hover();
    await page.getByText('Change its rules first.').filter({ visible: true }).waitFor();
    await page.keyboard.press('Escape');

    await chooses(page, 'Fair', 'Open as member');
    const dialog = page.getByRole('dialog', { name: 'Open Fair' });
    const address = await dialog.getByRole('textbox').inputValue();
    expect(address.startsWith(`${fair.install_url}/g/`)).toBe(true);
    await visit.expectAccessible('dashboard-links-member', { within: 'dialog' });
    const phone = await desk.visitor({ reader: READERS.android });
    await phone.open(address);
    await phone.page.getByText('1.2.3').first().waitFor();
  });

  // red when: the page of the link leads nowhere, or the screen does not go on
  it('for members open for the member who logs in', async () => {
    const link = await createsLink(ann, project, { build_id: build.id, name: 'Team', access: 'members' });
    const visit = await desk.visitor({ reader: READERS.android });
    await visit.open(link.install_url);
    await desk.logIn(visit, ann);
    await visit.page.getByRole('link', { name: 'Open as a member' }).click();
    await visit.page.waitForURL((url) => url.pathname.includes('/g/'));
    await visit.page.getByText('1.2.3').first().waitFor();

    const eve = await joinsAsReader();
    const refused = await desk.open(eve, `${place()}/links/${link.id}/open`);
    await refused.page.getByRole('heading', { name: 'You cannot open this link' }).waitFor();
    await refused.page.getByText('Needs the role').waitFor();
  });

  it('speak German, on a phone', async () => {
    await createsLink(ann, project, {
      build_id: build.id,
      name: 'Vorführung auf der Messe in Friedrichshafen',
      access: 'sign_in',
      max_downloads: 200,
      terms: 'Vertraulich.',
      expires_at: '2090-01-01T00:00:00Z',
    });
    const visit = await desk.open(ann, ofBuild(), { reader: PHONE, language: 'de' });
    const { page } = visit;
    await page.getByText('0 von 200').waitFor();
    await desk.expectAccessible(visit, 'links-german');
    await page.getByRole('button', { name: 'Neuer Link' }).click();
    await page.getByRole('dialog', { name: 'Neuer Link' }).getByText('Alle, die den Link haben.').waitFor();
    await visit.expectAccessible('dashboard-links-create-german', { within: 'dialog' });
  });

  it('are read, and not changed, by members who may only view', async () => {
    const bob = await joinsAsReader();
    const { page } = await desk.open(bob, `${ofBuild()}?new=1`);
    await row(page, 'Default link').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.getByRole('button', { name: 'New link' }).hover();
    await page.getByText('Needs the role').first().waitFor();
  });
});
