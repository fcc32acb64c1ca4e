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
import { createsLink, type LinkJson } from '../../../support/actors/link-visitor';
import { apk } from '../../../support/artifacts/valid-artifacts';
import { until } from '../../../support/until';
import { Desk } from '../desk';
import { gives, joins } from '../joins';

/** The page renders what it has refetched within this time. */
const RENDERED_MS = 1_000;

const button = (within: Page | Locator, name: string): Locator => within.getByRole('button', { name, exact: true });

describe('a change of others, while a dialog of the dashboard is open', () => {
  let desk: Desk;
  let ann: Developer;
  let organization: OrganizationRef;
  let project: ProjectRef;
  let beta: ChannelJson;
  let production: ChannelJson;
  let current: BuildJson;
  let newest: BuildJson;
  const address = (screen: string): string => `/o/${organization.id}/p/${project.id}/${screen}`;
  const upload = (versionName: string, versionCode: number): Promise<BuildJson> =>
    ann.uploads(project, { bytes: apk({ versionName, versionCode }), fileName: 'rocket.apk' });
  /** Resolves when the page has refetched, and rendered, what a change concerns. */
  const refetched = async (page: Page, path: RegExp, change: () => Promise<unknown>): Promise<void> => {
    const response = page.waitForResponse(path);
    await change();
    await response;
    await sleep(RENDERED_MS);
  };
  const select = async (page: Page, ...versions: string[]): Promise<void> => {
    for (const version of versions)
      await page.getByRole('checkbox', { name: `Select ${version} Android`, exact: true }).check();
  };

  beforeAll(async () => {
    desk = await Desk.start();
    ann = await desk.app.developer();
    organization = await ann.createsOrganization('Acme');
    await ann.changesPlan(organization, 'business');
    project = await ann.createsProject(organization, 'Rocket');
    current = await upload('2.0.9', 209);
    newest = await upload('2.1.0', 210);
    production = await ann.createsChannel(project, 'Production');
    beta = await ann.createsChannel(project, 'Beta');
    await ann.promotes(project, beta, current);
  });
  afterEach(() => desk.endVisits());
  afterAll(() => desk.stop());

  // red when: Enter promotes to the channel in which somebody else promoted a moment before
  it('does not select another channel for a promotion', async () => {
    const { page } = await desk.open(ann, address(`builds/${newest.id}`));
    await button(page, 'Promote').first().click();
    const dialog = page.getByRole('dialog', { name: 'Promote 2.1.0 (210)', exact: true });
    const channel = dialog.getByRole('combobox', { name: 'Channel', exact: true });
    expect(await channel.inputValue()).toBe(beta.id);
    await refetched(page, /\/api\/v1\/channels\?/, () => ann.promotes(project, production, current));
    expect(await channel.inputValue()).toBe(beta.id);
    await button(dialog, 'Promote').click();
    await page.getByText('2.1.0 (210) is current in Beta.').first().waitFor();
    // red when: the dialog proposes what was read when it was open the last time
    const gamma = await ann.createsChannel(project, 'Gamma');
    await refetched(page, /\/api\/v1\/builds\//, () => ann.promotes(project, gamma, current));
    await button(page, 'Promote').first().click();
    await until(async () => (await channel.inputValue()) === gamma.id, { seconds: 30 });
  });

  // red when: the form sends a rule of before, which nobody changed here
  it('keeps the rule of a link that somebody else sets', async () => {
    const link = await createsLink(ann, project, { build_id: newest.id, name: 'Fair' });
    const { page } = await desk.open(ann, address(`builds/${newest.id}/links`));
    await button(page, 'Actions for Fair').click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit Fair', exact: true });
    await dialog.getByLabel('Name').fill('Spring fair');
    await refetched(page, /\/api\/v1\/links\?/, () =>
      ann.patch(`/links/${link.id}?${scope(project)}`, { access: 'members' }).expect(200),
    );
    await button(dialog, 'Save link').click();
    await dialog.waitFor({ state: 'detached' });
    const { body } = await ann.get(`/links?${scope(project)}&build_id=${newest.id}`).expect(200);
    const saved = (body as { items: LinkJson[] }).items.find(({ id }) => id === link.id);
    expect(saved).toMatchObject({ name: 'Spring fair', access: 'members' });
  });

  // red when: the browser selects another member, because the selected one is no longer offered
  it('does not select another member for a role', async () => {
    const [bob, kim] = [await desk.app.developer(), await desk.app.developer()];
    for (const member of [bob, kim]) await joins(ann, member, organization, ['MEMBER']);
    const { page } = await desk.open(ann, address('access'));
    await button(page, 'Add member').click();
    const member = page.getByRole('dialog').getByRole('combobox', { name: 'Member', exact: true });
    await member.selectOption(kim.email);
    await refetched(page, /\/members\?/, () => gives(ann, kim, project, 'UPLOAD_BUILD'));
    expect(await member.inputValue()).toBe(kim.id);
  });

  // red when: the question counts a build that nobody selected for deletion, and deletes it
  it('does not add builds to a question about a deletion', async () => {
    const alpha = await ann.createsChannel(project, 'Alpha');
    await ann.promotes(project, alpha, await upload('2.0.7', 207));
    await upload('2.0.8', 208);
    const { page } = await desk.open(ann, address('builds'));
    await select(page, '2.0.7 (207)', '2.0.8 (208)');
    await button(page, 'Delete 2 builds').click();
    const question = page.getByRole('alertdialog');
    await button(question, 'Delete 1 build').waitFor();
    await refetched(page, /\/api\/v1\/builds\?/, () => ann.promotes(project, alpha, newest));
    await button(question, 'Delete 1 build').waitFor();
    await question.getByText('2.0.7 (207) Android stays: it is current in Alpha.').waitFor();
  });

  // red when: the message says that the builds are pinned, because the list shows that the first is not
  it('does not turn the message about pinned builds round', async () => {
    for (const { id } of [current, newest])
      await ann.patch(`/builds/${id}?${scope(project)}`, { pinned: true }).expect(200);
    const { page } = await desk.open(ann, address('builds'));
    await page.route(`**/api/v1/builds/*`, async (route) => {
      const response = await route.fetch();
      await sleep(3 * RENDERED_MS);
      await route.fulfill({ response });
    });
    await select(page, '2.0.9 (209)', '2.1.0 (210)');
    await button(page, 'Unpin').click();
    await page.getByText('2 builds are no longer pinned.').waitFor();
  });
});
