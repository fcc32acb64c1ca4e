import { type Locator, type Page } from 'playwright-core';
import {
  type BuildJson,
  type ChannelJson,
  type Developer,
  type OrganizationRef,
  type ProjectRef,
  scope,
} from '../../../support/actors/actors';
import { apk, ipa } from '../../../support/artifacts/valid-artifacts';
import { Desk, PHONE } from '../desk';

/** Long ones do not widen the page. */
const EMAILS = ['tess0', 'tess1', 'tess2', 'tess3', 'tess4', 'a'.repeat(64)].map((name) => `${name}@example.com`);

const button = (within: Page | Locator, name: string): Locator => within.getByRole('button', { name, exact: true });
const region = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });

describe('the adoption of releases in the dashboard', () => {
  let desk: Desk;
  let ann: Developer;
  let organization: OrganizationRef;
  let project: ProjectRef;
  let beta: ChannelJson;
  let current: BuildJson;
  let releaseId: string;

  /** Beta has a build of each platform, of which one is blocked; four of six testers have the one for Android. A newer one is not promoted. */
  beforeAll(async () => {
    desk = await Desk.start();
    ann = await desk.app.developer();
    organization = await ann.createsOrganization('Acme');
    await ann.changesPlan(organization, 'business');
    project = await ann.createsProject(organization, 'Rocket');
    const uploads = (versionName: string, versionCode: number) =>
      ann.uploads(project, { bytes: apk({ versionName, versionCode }), fileName: 'rocket.apk' });
    beta = await ann.createsChannel(project, 'Beta');
    await ann.createsChannel(project, 'Internal builds of the whole launch team');
    current = await uploads('2.1.0', 211);
    const expired = { expiresAt: new Date('2020-01-01T00:00:00Z') };
    const blocked = await ann.uploads(project, { bytes: ipa(expired), fileName: 'rocket.ipa' });
    releaseId = (await ann.promotes(project, beta, current, 'Look at the new launch screen.')).id;
    await ann.promotes(project, beta, blocked);
    await uploads('2.1.1', 212);
    for (let tester = 0; tester < 6; tester++) {
      const { body } = await ann.post(`/testers?${scope(project)}`, { email: EMAILS[tester] }).expect(201);
      const { id } = body as { id: string };
      await ann.request('put', `/testers/${id}/subscriptions/${beta.id}?${scope(project)}`).expect(200);
      if (tester < 4) await downloads(id);
    }
  });
  afterEach(() => desk.endVisits());
  afterAll(() => desk?.stop());

  const downloads = async (testerId: string): Promise<void> => {
    await ann.post(`/testers/${testerId}/invite?${scope(project)}`, { build_id: current.id }).expect(204);
    const { body } = await ann.get(`/testers/${testerId}?${scope(project)}`).expect(200);
    const { pathname } = await desk.app.mailbox.link((body as { email: string }).email);
    const response = await fetch(`${desk.app.address}${pathname}/package.apk`);
    expect(response.status).toBe(200);
    await response.arrayBuffer();
  };
  const overview = (): string => `/o/${organization.id}/p/${project.id}`;
  const inBeta = (page: Page): Locator =>
    region(page, 'Current builds').getByRole('listitem').filter({ hasText: 'Beta' });

  // red when: the overview shows the newest builds, and not what testers get and whether they have it
  it('is the first card of the overview, whose number leads to those who lack the build', async () => {
    const visit = await desk.open(ann, overview());
    const { page } = visit;
    await inBeta(page).getByRole('link', { name: '2.1.0 (211)', exact: true }).waitFor();
    await inBeta(page).getByText('cannot be installed', { exact: true }).waitFor();
    const number = inBeta(page).getByRole('link', { name: '4 of 6 have it', exact: true });
    await number.waitFor();
    // red when: the card does not say who promoted
    await inBeta(page)
      .getByText(/\bby \S/)
      .first()
      .waitFor();
    expect(await page.getByRole('region').first().getByRole('heading').first().textContent()).toBe('Current builds');
    // The codes are behind icons.
    expect(await page.getByRole('img', { name: /QR code/ }).count()).toBe(0);
    await desk.expectAccessible(visit, 'overview-adoption');
    await number.press('Enter');
    await page.waitForURL((url) => url.pathname.endsWith('/testers'));
    const { searchParams } = new URL(page.url());
    expect([searchParams.get('release_id'), searchParams.get('adoption')]).toEqual([releaseId, 'has_not']);
  });

  it('offers the newer build in its channel', async () => {
    const visit = await desk.open(ann, overview());
    const { page } = visit;
    await button(inBeta(page), 'Promote 2.1.1 (212), Android').press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Promote 2.1.1 (212)', exact: true });
    const channel = dialog.getByRole('combobox', { name: 'Channel', exact: true });
    await channel.waitFor();
    expect(await channel.inputValue()).toBe(beta.id);
    await page.reload();
    expect(await channel.inputValue()).toBe(beta.id);
    await page.keyboard.press('Escape');
    await page.waitForURL((url) => url.search === '');
  });

  // red when: the chart has 30 days and the text 14, or no value is shown by the keyboard
  it('stands above the downloads of 14 days, whose values the arrow keys show', async () => {
    const visit = await desk.open(ann, overview());
    const card = region(visit.page, 'Downloads');
    await card.getByText('4 downloads in the last 14 days').first().waitFor();
    await card.getByText('4 more than in the 14 days before').waitFor();
    const days = card.getByRole('slider', { name: '4 downloads in the last 14 days', exact: true });
    expect(await days.getAttribute('aria-valuemax')).toBe('13');
    await days.focus();
    await days.press('ArrowLeft');
    await days.press('ArrowRight');
    await card.getByText(/^\d+ \w+: 4$/).waitFor();
    await button(card, 'Show as table').click();
    expect(await card.getByRole('table').getByRole('row').count()).toBe(15);
  });

  it('is on the page of the channel with each step, and reminds those who lack the build', async () => {
    await desk.app.sql(`UPDATE release SET promoted_at = promoted_at - interval '1 hour' WHERE id = $1`, [releaseId]);
    const visit = await desk.open(ann, `${overview()}/channels/${beta.id}`);
    const { page } = visit;
    const card = region(page, 'Current builds');
    const ofAndroid = card.getByRole('listitem').filter({ hasText: 'Android' });
    const number = ofAndroid.getByRole('link', { name: '4 of 6 have it', exact: true });
    await number.waitFor();
    expect(new URL(await number.evaluate((link: { href: string }) => link.href)).searchParams.get('adoption')).toBe(
      'has_not',
    );
    await ofAndroid.getByRole('link', { name: '2 not mailed', exact: true }).waitFor();
    await desk.expectAccessible(visit, 'channel-adoption');
    await button(ofAndroid, 'Remind 2 testers').press('Enter');
    await button(page.getByRole('dialog'), 'Remind 2 testers').press('Enter');
    await page.getByRole('status').filter({ hasText: '2 reminders were sent.' }).waitFor();
    await ofAndroid.getByText('Reminded').waitFor();
  });

  it('is complete on a phone, in German', async () => {
    const visit = await desk.open(ann, overview(), { language: 'de', reader: PHONE });
    await visit.page.getByText('4 von 6 haben ihn', { exact: true }).first().waitFor();
    await visit.screenshot('dashboard-overview-phone-de');
    await desk.go(visit, `${overview()}/channels/${beta.id}`);
    await visit.page.getByRole('link', { name: '4 von 6 haben ihn', exact: true }).waitFor();
    await visit.screenshot('dashboard-channel-phone-de');
  });

  // red when: the button opens a dialog that leads to "Channels need the Business plan"
  it('names the plan at the button when the organization has none with channels', async () => {
    const small = await ann.createsOrganization('Small');
    const place = await ann.createsProject(small);
    await ann.uploads(place, { bytes: apk(), fileName: 'rocket.apk' });
    const { page } = await desk.open(ann, `/o/${small.id}/p/${place.id}`);
    const promote = button(region(page, 'Newest builds'), 'Promote');
    expect(await promote.getAttribute('aria-disabled')).toBe('true');
    const reason = await promote.getAttribute('aria-describedby');
    expect(await page.locator(`[id="${reason}"]`).textContent()).toBe('Needs the Business plan');
    await region(page, 'Current builds').getByText('Needs the Business plan.').waitFor();
  });
});
