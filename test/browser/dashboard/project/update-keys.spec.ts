import { type Locator, type Page } from 'playwright-core';
import supertest from 'supertest';
import {
  type BuildJson,
  type ChannelJson,
  type Developer,
  type OrganizationRef,
  type ProjectRef,
  scope,
} from '../../../support/actors/actors';
import { apk } from '../../../support/artifacts/valid-artifacts';
import { Desk } from '../desk';

const button = (within: Page | Locator, name: string): Locator => within.getByRole('button', { name, exact: true });
const dialog = (page: Page, name: string): Locator => page.getByRole('dialog', { name, exact: true });
const question = (page: Page, name: string): Locator => page.getByRole('alertdialog', { name, exact: true });
const region = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });
const summary = (within: Locator, name: string): Locator => within.locator('summary').getByText(name, { exact: true });

describe('update keys in the dashboard', () => {
  let desk: Desk;
  let ann: Developer;
  let organization: OrganizationRef;
  let project: ProjectRef;
  let channel: ChannelJson;
  let build: BuildJson;

  beforeAll(async () => {
    desk = await Desk.start();
    ann = await desk.app.developer();
    organization = await ann.createsOrganization('Acme');
    await ann.changesPlan(organization, 'business');
    project = await ann.createsProject(organization, 'Rocket');
    channel = await ann.createsChannel(project, 'Beta');
    build = await ann.uploads(project, { bytes: apk(), fileName: 'rocket.apk' });
    await ann.promotes(project, channel, build);
  });
  afterEach(() => desk.endVisits());
  afterAll(() => desk?.stop());

  const ofChannel = (of = channel): string => `/o/${organization.id}/p/${project.id}/channels/${of.id}`;
  const settings = (of = project): string => `/o/${of.organizationId}/p/${of.id}/settings`;
  const createsKey = async (platform: string, of?: ChannelJson): Promise<{ id: string; url: string }> => {
    const query = `${scope(project)}${of ? `&channel_id=${of.id}` : ''}`;
    return (await ann.post(`/update-keys?${query}`, { platform }).expect(201)).body as { id: string; url: string };
  };
  /** A member of the organization who may only look. */
  const viewer = async (): Promise<Developer> => {
    const bob = await desk.app.developer();
    await desk.app.sql(`INSERT INTO membership VALUES ($1, $2, '{READ}', now())`, [organization.id, bob.id]);
    return bob;
  };

  it('of a channel are created by the keyboard, and their code contains the address', async () => {
    const visit = await desk.open(ann, ofChannel());
    const { page } = visit;
    const card = region(page, 'In-app updates');
    await summary(card, 'Update keys').press('Enter');
    await card.getByText('No update keys yet.').waitFor();
    await button(card, 'New update key').press('Enter');
    const creation = dialog(page, 'New update key');
    await creation.getByRole('combobox', { name: 'Platform of the app' }).selectOption('Android');
    await desk.expectAccessible(visit, 'update-key-new');
    await button(creation, 'Create update key').press('Enter');

    const code = dialog(page, 'Code for Android');
    const snippet = code.getByRole('figure', { name: 'Snippet' });
    await snippet.getByText('BuildConfig.VERSION_CODE').waitFor();
    const { body } = await ann.get(`/update-keys?${scope(project)}&channel_id=${channel.id}`).expect(200);
    const [{ id, url }] = (body as { items: [{ id: string; url: string }] }).items;
    await code.getByRole('combobox', { name: 'Framework' }).selectOption('App Center SDK');
    await snippet.getByText(`Distribute.setApiUrl("${url}/appcenter/v0.1")`).waitFor();
    const { searchParams } = new URL(page.url());
    expect([searchParams.get('updates'), searchParams.get('framework')]).toEqual([id, 'app-center']);
    await page.reload();
    await snippet.getByText(`Distribute.setApiUrl("${url}/appcenter/v0.1")`).waitFor();
    await desk.expectAccessible(visit, 'update-key-code');
    await page.keyboard.press('Escape');
    await code.waitFor({ state: 'detached' });

    const address = card.getByRole('textbox', { name: 'Update address for Android' });
    expect(await address.inputValue()).toBe(url);
    await card.getByText('not used yet').waitFor();
    await button(card, 'Copy Android address').click();
    await page.getByRole('status').filter({ hasText: 'Copied' }).waitFor();
    const answer = await supertest(url).get('?version=0.1&build=1').expect(200);
    expect(answer.body).toMatchObject({ update_available: true, release: { version: build.version } });
    await page.reload();
    await card.getByText('last used').waitFor();
  });

  it('are rotated and revoked after a confirmation', async () => {
    const alpha = await ann.createsChannel(project, 'Alpha');
    const { url } = await createsKey('ios', alpha);
    await createsKey('macos', alpha);
    await ann.promotes(project, alpha, build);
    const visit = await desk.open(ann, `${ofChannel(alpha)}?updates=keys`);
    const { page } = visit;
    const address = page.getByRole('textbox', { name: 'Update address for iOS' });
    expect(await address.inputValue()).toBe(url);
    await desk.expectAccessible(visit, 'update-keys');
    const act = async (name: string): Promise<void> => {
      await button(page, 'Actions for the iOS key').press('Enter');
      await page.getByRole('menuitem', { name, exact: true }).press('Enter');
    };
    await act('Rotate key');
    const asked = question(page, 'Rotate the iOS key?');
    await asked.getByText('must be installed again').waitFor();
    expect(await visit.accessibilityIssues()).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await address.inputValue()).toBe(url);
    await act('Rotate key');
    await button(asked, 'Rotate key').press('Enter');
    await page.getByText('The iOS key has a new value.').waitFor();
    await page.locator(`input[value="${url}"]`).waitFor({ state: 'detached' });
    await supertest(url).get('').expect(404);
    await act('Revoke key');
    await button(question(page, 'Revoke the iOS key?'), 'Revoke key').press('Enter');
    await page.getByText('The iOS key was revoked.').waitFor();
    await address.waitFor({ state: 'detached' });
    await button(page, 'Code for macOS').click();
    const code = dialog(page, 'Code for macOS');
    await code.getByText('SUFeedURL').waitFor();
    await code.getByText('Store the signature of each build').waitFor();
  });

  it('of a project are in its settings on every plan, beside the lowest supported versions', async () => {
    const team = await ann.createsProject(await ann.createsOrganization('Small'), 'Kite');
    const visit = await desk.open(ann, settings(team));
    const { page } = visit;
    const card = region(page, 'In-app updates');
    await summary(card, 'Update keys').click();
    await button(card, 'New update key').click();
    await button(dialog(page, 'New update key'), 'Create update key').click();
    await dialog(page, 'Code for iOS').getByText('CFBundleShortVersionString').first().waitFor();
    await page.keyboard.press('Escape');
    await card.getByRole('textbox', { name: 'Update address for iOS' }).waitFor();

    await summary(card, 'Lowest supported versions').click();
    await card.getByRole('textbox', { name: 'iOS version' }).fill('1.8');
    await card.getByRole('textbox', { name: 'Android version code' }).fill('40');
    await desk.expectAccessible(visit, 'min-supported-versions');
    await button(card, 'Save versions').press('Enter');
    await page.getByText('The versions were saved.').waitFor();
    await page.reload();
    await card.getByRole('textbox', { name: 'Android version code' }).waitFor();
    expect(new URL(page.url()).searchParams.get('updates')).toBe('versions');
    const query = `organization_id=${team.organizationId}`;
    const { body } = await ann.get(`/projects/${team.id}/min-supported-versions?${query}`).expect(200);
    expect(body).toEqual({ ios: '1.8', android: '40', macos: null, windows: null, linux: null });
  });

  it('show a viewer no address, and why no action is offered, in German', async () => {
    const gamma = await ann.createsChannel(project, 'Gamma');
    await createsKey('android', gamma);
    await createsKey('ios');
    const visit = await desk.open(await viewer(), ofChannel(gamma), { language: 'de' });
    const { page } = visit;
    const card = region(page, 'In-App-Updates');
    await summary(card, 'Update-Schlüssel').click();
    for (const name of ['Neuer Update-Schlüssel', 'Code für Android']) {
      const disabled = button(card, name);
      expect(await disabled.getAttribute('aria-disabled')).toBe('true');
      const reason = await disabled.getAttribute('aria-describedby');
      expect(await page.locator(`[id="${reason}"]`).textContent()).toMatch(
        /^(Erfordert die Rolle|Die Adresse sehen nur) /,
      );
    }
    expect(await card.getByRole('textbox').count()).toBe(0);
    // A key of the project is not one of the channel.
    expect(await card.getByRole('listitem').count()).toBe(1);
    await desk.expectAccessible(visit, 'update-keys-viewer-de');
    await visit.open(`${desk.app.address}${settings()}?updates=keys`);
    await region(page, 'In-App-Updates').getByText('iOS', { exact: true }).waitFor();
    expect(await region(page, 'In-App-Updates').getByRole('listitem').count()).toBe(1);
    await desk.expectAccessible(visit, 'project-settings-updates-de');
  });
});
