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
import { apk, ipa } from '../../../support/artifacts/valid-artifacts';
import { until } from '../../../support/until';
import { type Visit } from '../../browser';
import { Desk } from '../desk';

const button = (within: Page | Locator, name: string): Locator => within.getByRole('button', { name, exact: true });
const dialog = (page: Page, name: string): Locator => page.getByRole('dialog', { name, exact: true });
const question = (page: Page, name: string): Locator => page.getByRole('alertdialog', { name, exact: true });
const heading = (page: Page, name: string): Locator => page.getByRole('heading', { name, exact: true });
const region = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });

describe('channels in the dashboard', () => {
  let desk: Desk;
  let ann: Developer;
  let organization: OrganizationRef;
  let project: ProjectRef;
  let older: BuildJson;
  let newer: BuildJson;
  const uploads = (version: string, versionCode: number): Promise<BuildJson> =>
    ann.uploads(project, { bytes: apk({ versionName: version, versionCode }), fileName: 'rocket.apk' });
  const path = (place: ProjectRef, channel?: ChannelJson): string =>
    `/o/${organization.id}/p/${place.id}/channels${channel ? `/${channel.id}` : ''}`;
  const history = ({ page }: Visit): Locator => page.getByRole('list', { name: 'Release history', exact: true });
  const release = (visit: Visit, sequence: number): Locator =>
    history(visit)
      .getByRole('listitem')
      .filter({ hasText: `#${sequence}` });

  /** A member of the organization who may only look. */
  const viewer = async ({ id }: OrganizationRef): Promise<Developer> => {
    const bob = await desk.app.developer();
    await desk.app.sql(`INSERT INTO membership VALUES ($1, $2, '{READ}', now())`, [id, bob.id]);
    return bob;
  };

  beforeAll(async () => {
    desk = await Desk.start();
    ann = await desk.app.developer();
    organization = await ann.createsOrganization('Acme');
    await ann.changesPlan(organization, 'business');
    project = await ann.createsProject(organization, 'Rocket');
    older = await uploads('2.0.9', 209);
    newer = await uploads('2.1.0', 210);
  });
  afterEach(() => desk.endVisits());
  afterAll(() => desk?.stop());

  it('are created by the keyboard, and a name is used once', async () => {
    const place = await ann.createsProject(organization);
    const visit = await desk.open(ann, path(place));
    const { page } = visit;
    await heading(page, 'No channels yet').waitFor();
    await desk.expectAccessible(visit, 'channels-empty');
    await button(page, 'New channel').focus();
    await page.keyboard.press('Enter');
    await dialog(page, 'New channel').waitFor();
    expect(page.url()).toContain('create=1');
    await page.reload();
    await dialog(page, 'New channel').getByRole('textbox', { name: 'Name', exact: true }).waitFor();
    await page.keyboard.type('Beta');
    await page.keyboard.press('Enter');
    await region(page, 'Beta').getByRole('link', { name: 'Beta', exact: true }).waitFor();
    await page.getByRole('status').filter({ hasText: '1 channel' }).first().waitFor();
    await page.waitForURL((url) => url.search === '');

    await button(page, 'New channel').click();
    await dialog(page, 'New channel').getByRole('textbox', { name: 'Name', exact: true }).fill('Beta');
    await button(dialog(page, 'New channel'), 'Create channel').click();
    await dialog(page, 'New channel').getByRole('alert').waitFor();
    await page.keyboard.press('Escape');
    await dialog(page, 'New channel').waitFor({ state: 'detached' });
    expect(visit.problems.splice(0).filter((problem) => !problem.includes('409'))).toEqual([]);
  });

  it('are listed with their current builds, their link and its QR code', async () => {
    const place = await ann.createsProject(organization);
    const build = await ann.uploads(place, { bytes: apk(), fileName: 'rocket.apk' });
    const beta = await ann.createsChannel(place, 'Beta');
    await ann.createsChannel(place, 'Store');
    await ann.promotes(place, beta, build);
    const visit = await desk.open(ann, path(place));
    const { page } = visit;
    const card = region(page, 'Beta');
    await button(card, 'Show the QR code of Beta').press('Enter');
    await dialog(page, 'Beta').getByRole('img', { name: 'QR code of the link of Beta' }).waitFor();
    await desk.expectAccessible(visit, 'channel-qr');
    await page.keyboard.press('Escape');
    await card.getByText('Android').waitFor();
    await card.getByText('0 subscribers').waitFor();
    await page.getByRole('status').filter({ hasText: '2 channels' }).waitFor();
    expect(await page.title()).toMatch(/^Channels · .* · Agate$/);
    await desk.expectAccessible(visit, 'channels');
    await card.getByRole('link', { name: 'Beta', exact: true }).click();
    await page.getByRole('heading', { name: 'Beta', level: 1 }).waitFor();
  });

  it('need the Business plan: members who may change it get a link, others a name to ask', async () => {
    const small = await ann.createsOrganization('Small');
    const place = await ann.createsProject(small);
    const visit = await desk.open(ann, `/o/${small.id}/p/${place.id}/channels`);
    await heading(visit.page, 'Channels need the Business plan').waitFor();
    await desk.expectAccessible(visit, 'channels-plan');
    const change = visit.page.getByRole('link', { name: 'Change plan', exact: true });
    // red when: the link leads to the screen, on which the dialog must be found
    expect(await change.getAttribute('href')).toBe(`/o/${small.id}/billing?act=plan`);

    const bob = await viewer(small);
    const { page } = await desk.open(bob, `/o/${small.id}/p/${place.id}/channels`);
    await page.getByText(`These members can change the plan: ${ann.email}.`).waitFor();
    expect(await button(page, 'Change plan').getAttribute('aria-disabled')).toBe('true');
  });

  it('get a chosen build, and the previous one again when the release is withdrawn', async () => {
    const beta = await ann.createsChannel(project, 'Beta');
    const visit = await desk.open(ann, path(project, beta));
    const { page } = visit;
    await heading(page, 'No releases yet').waitFor();
    await desk.expectAccessible(visit, 'channel-empty');
    for (const build of [older, newer]) {
      await button(page, 'Promote a build').focus();
      await page.keyboard.press('Enter');
      const choice = dialog(page, 'Promote a build');
      await choice.getByRole('searchbox', { name: 'Search builds' }).fill(build.version);
      await choice.getByRole('status').filter({ hasText: '1 build' }).waitFor();
      await choice.getByRole('list').getByRole('button').press('Enter');
      const promotion = page.getByRole('dialog', { name: `Promote ${build.version}` });
      await promotion.getByRole('textbox', { name: 'Notes for testers' }).fill(`Look at ${build.version}.`);
      await button(promotion, 'Promote').click();
      await promotion.waitFor({ state: 'detached' });
    }
    await release(visit, 2).getByText('Look at 2.1.0.').waitFor();
    await release(visit, 2).getByText('current', { exact: true }).waitFor();
    // The reload removes the toasts.
    await page.reload();
    await button(release(visit, 2), 'Details of release 2').press('Enter');
    await release(visit, 2).getByRole('heading', { name: 'Changes since 2.0.9 (209)' }).waitFor();
    await release(visit, 2).getByText('Certificate').waitFor();
    await region(page, 'Current builds').getByRole('link', { name: '2.1.0 (210)' }).waitFor();
    await desk.expectAccessible(visit, 'channel');

    await button(page, 'Withdraw release').click();
    await question(page, 'Withdraw 2.1.0 (210)?').getByText('2.0.9 (209) is current on Android then.').waitFor();
    await desk.expectAccessible(visit, 'channel-withdraw');
    await button(question(page, 'Withdraw 2.1.0 (210)?'), 'Withdraw release').click();
    await region(page, 'Current builds').getByRole('link', { name: '2.0.9 (209)' }).waitFor();
    await release(visit, 2).waitFor({ state: 'detached' });
  });

  it('say when devices stop launching their builds', async () => {
    const place = await ann.createsProject(organization, 'Comet');
    const expiresAt = new Date(desk.app.clock.now().getTime() + 9 * 86_400_000 - 60_000);
    const build = await ann.uploads(place, { bytes: ipa({ expiresAt }), fileName: 'Comet.ipa' });
    const beta = await ann.createsChannel(place, 'Beta');
    await ann.promotes(place, beta, build);
    const visit = await desk.open(ann, path(place, beta));
    const { page } = visit;
    await region(page, 'Current builds').getByText('profile expires in 9 days', { exact: true }).waitFor();
    await desk.expectAccessible(visit, 'channel-expiring');
    await desk.go(visit, path(place));
    await region(page, 'Beta').getByText('profile expires in 9 days', { exact: true }).waitFor();
  });

  it('promote a build without mails, by keyboard', async () => {
    const channel = await ann.createsChannel(project, 'Silent');
    const visit = await desk.open(ann, `${path(project, channel)}?promote=${older.id}`);
    const { page } = visit;
    const promotion = dialog(page, 'Promote 2.0.9 (209)');
    const notify = promotion.getByRole('checkbox', { name: 'Notify subscribers', exact: true });
    expect(await notify.isChecked()).toBe(true);
    await notify.press('Space');
    await promotion.getByText('No tester will be mailed about this release.').waitFor();
    await desk.expectAccessible(visit, 'promote-silently');
    await button(promotion, 'Promote').press('Enter');
    await release(visit, 1).getByText('without mails').waitFor();
    const { body } = await ann.get(`/releases?${scope(project)}&channel_id=${channel.id}`).expect(200);
    expect(body).toMatchObject({ items: [{ build_id: older.id, notify: false }] });
  });

  it('promote a build without mails in German', async () => {
    const channel = await ann.createsChannel(project, 'Still');
    const visit = await desk.open(ann, `${path(project, channel)}?promote=${older.id}`, { language: 'de' });
    const promotion = dialog(visit.page, '2.0.9 (209) freigeben');
    await promotion.getByText('Kein Tester erhält eine Mail: Der Kanal hat noch keine Abonnenten.').waitFor();
    const notify = promotion.getByRole('checkbox', { name: 'Abonnenten benachrichtigen', exact: true });
    expect(await notify.isChecked()).toBe(true);
    await notify.uncheck();
    await promotion.getByText('Kein Tester erhält eine Mail über diese Freigabe.').waitFor();
    await button(promotion, 'Freigeben').click();
    await promotion.waitFor({ state: 'detached' });
    const { body } = await ann.get(`/releases?${scope(project)}&channel_id=${channel.id}`).expect(200);
    expect(body).toMatchObject({ items: [{ build_id: older.id, notify: false }] });
  });

  it('promote an earlier build again, and withdraw an earlier release from the menu', async () => {
    const channel = await ann.createsChannel(project, 'Again');
    await ann.promotes(project, channel, older);
    await ann.promotes(project, channel, newer);
    const visit = await desk.open(ann, path(project, channel));
    const { page } = visit;
    await button(release(visit, 1), 'Promote again').click();
    const promotion = dialog(page, 'Promote 2.0.9 (209)');
    await promotion.getByText('This is an older version').waitFor();
    expect(new URL(page.url()).searchParams.get('promote')).toBe(older.id);
    await page.reload();
    await button(promotion, 'Promote').click();
    await release(visit, 3).getByText('current', { exact: true }).waitFor();
    await button(release(visit, 1), 'Promote again').and(page.locator('[aria-disabled="true"]')).waitFor();

    await button(page, 'Actions for release 1').click();
    await page.getByRole('menuitem', { name: 'Withdraw release' }).click();
    const asked = question(page, 'Withdraw 2.0.9 (209)?');
    await asked.getByText('2.0.9 (209) stays current on Android.').waitFor();
    await button(asked, 'Withdraw release').click();
    await release(visit, 1).waitFor({ state: 'detached' });
    await page.getByRole('status').filter({ hasText: '2 releases' }).waitFor();
  });

  it('have a link that is replaced, and addresses for scripts', async () => {
    const channel = await ann.createsChannel(project, 'Link');
    await ann.promotes(project, channel, newer);
    const visit = await desk.open(ann, path(project, channel));
    const { page } = visit;
    await button(page, 'Copy channel link').click();
    await page.getByRole('status').filter({ hasText: 'Copied' }).waitFor();
    await button(page, 'Promote a build').click();
    const search = dialog(page, 'Promote a build').getByRole('searchbox');
    await dialog(page, 'Promote a build').getByText('Current in this channel already').waitFor();
    await desk.expectAccessible(visit, 'channel-choose');
    await search.press('Control+V');
    expect(await search.inputValue()).toBe(channel.install_url);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.getByText('Addresses for scripts', { exact: true }).click();
    const file = page.getByRole('textbox', { name: 'File of the current Android build' });
    const address = await file.inputValue();
    expect(address).toBe(`${channel.install_url}/latest/android/package`);
    await supertest(address).get('').redirects(2).expect(200);
    await button(page, 'Replace link').click();
    await button(question(page, 'Replace the channel link?'), 'Replace link').click();
    await page.getByText('The channel link was replaced.').waitFor();
    await supertest(channel.install_url).get('').expect(404);
    await until(async () => (await file.inputValue()) !== address);
  });

  it('are renamed, and deleted when they are empty', async () => {
    const channel = await ann.createsChannel(project, 'Old name');
    await ann.promotes(project, channel, older);
    const visit = await desk.open(ann, path(project, channel));
    const { page } = visit;
    const choose = async (name: string): Promise<void> => {
      await button(page, 'More actions').click();
      await page.getByRole('menuitem', { name, exact: true }).click();
    };
    await choose('Rename channel');
    await dialog(page, 'Rename channel').getByRole('textbox', { name: 'Name', exact: true }).fill('New name');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'New name', level: 1 }).waitFor();
    await ann.createsChannel(project, 'Taken');
    await choose('Rename channel');
    await dialog(page, 'Rename channel').getByRole('textbox', { name: 'Name', exact: true }).fill('Taken');
    await page.keyboard.press('Enter');
    await dialog(page, 'Rename channel').getByRole('alert').waitFor();
    expect(visit.problems.splice(0).filter((problem) => !problem.includes('409'))).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'New name', level: 1 }).waitFor();

    await choose('Delete channel');
    const asked = question(page, 'Delete New name?');
    await asked.getByText('The channel still has releases.').waitFor();
    expect(await button(asked, 'Delete channel').getAttribute('aria-disabled')).toBe('true');
    await page.keyboard.press('Escape');
    await button(page, 'Withdraw release').click();
    await page.getByText('The channel has no build for Android then.').waitFor();
    await button(question(page, 'Withdraw 2.0.9 (209)?'), 'Withdraw release').click();
    await heading(page, 'No releases yet').waitFor();
    await choose('Delete channel');
    await button(asked, 'Delete channel').click();
    await page.getByRole('heading', { name: 'Channels', level: 1 }).waitFor();
    await ann.get(`/channels/${channel.id}?${scope(project)}`).expect(404);
  });

  it('show subscribers, and a viewer why no action is offered, in German', async () => {
    const place = await ann.createsProject(organization);
    const build = await ann.uploads(place, { bytes: apk(), fileName: 'rocket.apk' });
    const channel = await ann.createsChannel(place, 'Beta');
    await ann.promotes(place, channel, build);
    await ann
      .post(`/testers/batch?${scope(place)}&channel_id=${channel.id}`, {
        testers: [{ email: 'tess@example.com' }],
      })
      .expect(200);
    const bob = await viewer(organization);
    const visit = await desk.open(bob, path(place, channel), { language: 'de' });
    const { page } = visit;
    await region(page, 'Abonnenten').getByText('tess@example.com').waitFor();
    await heading(page, 'Freigabeverlauf').waitFor();
    for (const name of ['Build freigeben', 'Freigabe zurückziehen', 'Link ersetzen']) {
      const disabled = button(page, name);
      expect(await disabled.getAttribute('aria-disabled')).toBe('true');
      const reason = await disabled.getAttribute('aria-describedby');
      expect(await page.locator(`[id="${reason}"]`).textContent()).toMatch(/^Erfordert die Rolle /);
    }
    await page.getByText('Den Link sehen nur Mitglieder').waitFor();
    await desk.expectAccessible(visit, 'channel-viewer-de');
    await visit.open(`${desk.app.address}${path(place)}`);
    await heading(page, 'Kanäle').waitFor();
    await visit.open(`${desk.app.address}${path(place)}/${crypto.randomUUID()}`);
    await heading(page, 'Nicht gefunden').waitFor();
    visit.allowProblems('status of 404');
  });
});
