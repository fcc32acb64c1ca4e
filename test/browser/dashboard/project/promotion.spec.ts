import { type Locator, type Page } from 'playwright-core';
import {
  type BuildJson,
  type ChannelJson,
  type Developer,
  type OrganizationRef,
  type ProjectRef,
  scope,
} from '../../../support/actors/actors';
import { apk } from '../../../support/artifacts/valid-artifacts';
import { type Visit } from '../../browser';
import { Desk } from '../desk';

const button = (within: Page | Locator, name: string): Locator => within.getByRole('button', { name, exact: true });

describe('a promotion in the dashboard', () => {
  let desk: Desk;
  let ann: Developer;
  let organization: OrganizationRef;
  let project: ProjectRef;
  let fine: BuildJson;
  let debuggable: BuildJson;
  let blocked: BuildJson;
  let channel: ChannelJson;
  const uploads = (versionName: string, more: Parameters<typeof apk>[0] = {}): Promise<BuildJson> =>
    ann.uploads(project, { bytes: apk({ versionName, ...more }), fileName: 'rocket.apk' });
  /** The dialog in which a build is promoted to the channel. */
  const opens = async (build: BuildJson, options: Parameters<Desk['open']>[2] = {}) => {
    const visit = await desk.open(
      ann,
      `/o/${organization.id}/p/${project.id}/channels/${channel.id}?promote=${build.id}`,
      options,
    );
    const dialog = visit.page.getByRole('dialog', { name: new RegExp(build.version) });
    await dialog.waitFor();
    return { visit, dialog };
  };
  const toast = ({ page }: Visit): Locator => page.getByRole('region', { name: 'Notifications', exact: true });
  const currentBuild = async (): Promise<string | undefined> => {
    const { body } = await ann.get(`/channels/${channel.id}?${scope(project)}`).expect(200);
    return (body as { current: { build_id: string }[] }).current[0]?.build_id;
  };
  const subscribes = (...emails: string[]) =>
    ann
      .post(`/testers/batch?${scope(project)}&channel_id=${channel.id}`, {
        testers: emails.map((email) => ({ email })),
      })
      .expect(200);

  beforeAll(async () => {
    desk = await Desk.start();
    ann = await desk.app.developer();
    organization = await ann.createsOrganization('Acme');
    await ann.changesPlan(organization, 'business');
    project = await ann.createsProject(organization, 'Rocket');
    fine = await uploads('2.0.9', { versionCode: 209 });
    debuggable = await uploads('2.1.0', { versionCode: 210, debuggable: true });
    blocked = await uploads('2.1.1', { versionCode: 211, debuggable: true, testOnly: true });
  });
  beforeEach(async () => {
    channel = await ann.createsChannel(project);
  });
  afterEach(() => desk.endVisits());
  afterAll(() => desk?.stop());

  // red when: only warnings that are new are listed, so that a build that no device installs is promoted without a word
  it('says first that no device installs the build, and mails no tester by default', async () => {
    await ann.promotes(project, channel, fine);
    await subscribes('tess@example.com');
    const { visit, dialog } = await opens(blocked);
    const first = dialog.getByRole('region', { name: 'No device installs this build.', exact: true });
    await first.getByText(/testOnly|test-only|test only/i).waitFor();
    expect(await dialog.getByRole('region').first().textContent()).toContain('No device installs this build.');
    expect(await dialog.getByRole('checkbox', { name: 'Notify subscribers', exact: true }).isChecked()).toBe(false);
    await dialog.getByText('No tester will be mailed about this release.').waitFor();
    expect(await button(dialog, 'Promote').count()).toBe(0);
    await desk.expectAccessible(visit, 'promote-blocked');
    await button(dialog, 'Promote anyway').press('Enter');
    await toast(visit).getByText(`2.1.1 (211) is current in ${channel.name}.`).waitFor();
    expect(await currentBuild()).toBe(blocked.id);
  });

  it('says so in German', async () => {
    const { dialog } = await opens(blocked, { language: 'de' });
    await dialog.getByRole('region', { name: 'Kein Gerät installiert diesen Build.', exact: true }).waitFor();
    await button(dialog, 'Trotzdem freigeben').waitFor();
  });

  // red when: warnings that the current build has, too, are left out, or new ones are not marked
  it('lists all warnings of the build, and marks those that the current build lacks', async () => {
    const warning = (dialog: Locator) => dialog.getByRole('listitem').filter({ hasText: /debuggable/i });
    await ann.promotes(project, channel, fine);
    const { visit, dialog } = await opens(debuggable);
    await warning(dialog).getByText('new', { exact: true }).waitFor();
    await desk.expectAccessible(visit, 'promote-warnings');
    const again = await uploads('2.2.0', { versionCode: 220, debuggable: true });
    await ann.promotes(project, channel, debuggable);
    const { dialog: second } = await opens(again);
    await warning(second).waitFor();
    await second.getByText('Certificate').waitFor();
    expect(await warning(second).getByText('new', { exact: true }).count()).toBe(0);
  });

  // red when: the message names no mails, or nothing takes the promotion back before they go out
  it('says how many mails go out, and is undone before they do', async () => {
    await ann.promotes(project, channel, fine);
    await desk.app.mailsReleases();
    const email = `${crypto.randomUUID()}@example.com`;
    await subscribes(email, `${crypto.randomUUID()}@example.com`);
    const { visit, dialog } = await opens(debuggable);
    await dialog.getByText('2 testers will be mailed.').waitFor();
    await button(dialog, 'Promote').press('Enter');
    await toast(visit).getByText(`2.1.0 (210) is current in ${channel.name}. 2 mails go out in a minute.`).waitFor();
    expect(await currentBuild()).toBe(debuggable.id);
    await visit.screenshot('dashboard-promote-undo');
    await button(toast(visit), 'Undo').press('Enter');
    await toast(visit).getByText('2.1.0 (210) was taken back: 2.0.9 (209) is current').waitFor();
    expect(await currentBuild()).toBe(fine.id);
    await desk.app.mailsReleases();
    const texts = (await desk.app.mailbox.all(email)).map(({ text }) => text ?? '');
    expect(texts.filter((text) => text.includes('2.1.0'))).toEqual([]);
    await visit.page.getByRole('list', { name: 'Release history', exact: true }).getByText('2.0.9 (209)').waitFor();
  });

  it('says why it cannot be undone any more', async () => {
    const { visit, dialog } = await opens(debuggable);
    await button(dialog, 'Promote').press('Enter');
    await button(toast(visit), 'Undo').waitFor();
    await desk.app.sql(`UPDATE release SET promoted_at = promoted_at - interval '1 minute' WHERE channel_id = $1`, [
      channel.id,
    ]);
    await button(toast(visit), 'Undo').press('Enter');
    await toast(visit).getByRole('alert').filter({ hasText: 'It is too late' }).waitFor();
    expect(await currentBuild()).toBe(debuggable.id);
    expect(visit.problems.splice(0).filter((problem) => !problem.includes('400'))).toEqual([]);
  });

  it('is offered again after a withdrawal', async () => {
    await ann.promotes(project, channel, fine);
    const visit = await desk.open(ann, `/o/${organization.id}/p/${project.id}/channels/${channel.id}`);
    const { page } = visit;
    await button(page, 'Withdraw release').click();
    await button(page.getByRole('alertdialog'), 'Withdraw release').click();
    await button(toast(visit), 'Promote again').press('Enter');
    const dialog = page.getByRole('dialog', { name: /2\.0\.9/ });
    await button(dialog, 'Promote').press('Enter');
    await toast(visit).getByText(`2.0.9 (209) is current in ${channel.name}.`).waitFor();
    expect(await currentBuild()).toBe(fine.id);
  });
});
