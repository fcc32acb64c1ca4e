import { readFileSync } from 'node:fs';
import { type Page } from 'playwright-core';
import { type Developer, type OrganizationRef, type ProjectRef } from '../../../support/actors/actors';
import { Desk, table } from '../desk';

const today = (): string => new Date().toISOString().slice(0, 10);

describe('the audit feed in the dashboard', () => {
  let desk: Desk;
  let ann: Developer;
  let organization: OrganizationRef;
  let project: ProjectRef;
  /** The day of the events, which may end during the tests. */
  let day: string;
  beforeAll(async () => {
    desk = await Desk.start();
    ann = await desk.app.developer();
    organization = await ann.createsOrganization('Acme');
    project = await ann.createsProject(organization, 'Rocket');
    await ann.changesPlan(organization, 'business');
    const beta = await ann.createsChannel(project, 'Beta');
    await ann.patch(`/channels/${beta.id}?organization_id=${organization.id}&project_id=${project.id}`, {
      name: 'Early',
    });
    await ann.createsToken(project);
    day = today();
  });
  afterEach(() => desk.endVisits());
  afterAll(() => desk.stop());

  const address = (search = `?day=${day}`): string => `/o/${organization.id}/audit${search}`;
  const status = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text });
  const sentence = (page: Page, text: string) =>
    table(page, 'Events').getByRole('rowheader', { name: text, exact: true });

  /** Chooses a format by the keyboard. */
  async function exportDay(page: Page, format: string): Promise<void> {
    await page.getByRole('button', { name: 'Export day', exact: true }).press('Enter');
    await page.getByRole('menuitem', { name: format, exact: true }).press('Enter');
  }

  it('describes each event in a sentence, with actor and place', async () => {
    const visit = await desk.open(ann, address(''));
    const { page } = visit;
    await page.getByRole('heading', { name: 'Audit feed', level: 1, exact: true }).waitFor();
    for (const text of [
      'Created the organization Acme',
      'Created the project Rocket',
      'Changed the plan from Team to Business',
      'Created the channel Beta',
      'Renamed a channel to Early',
      // red when: the sentence does not say which token
      'Created the project access token CI with the role “Upload builds”',
    ]) {
      await sentence(page, text).waitFor();
    }
    await status(page, '6 events').waitFor();
    expect(await table(page, 'Events').getByText(ann.email).count()).toBe(6);
    expect(await table(page, 'Events').getByRole('link', { name: 'Rocket', exact: true }).count()).toBe(4);
    expect(await page.title()).toBe('Audit feed · Acme · Agate');
    await desk.expectAccessible(visit, 'audit');
  });

  // red when: the sentence of an event with long names makes a row of many lines
  it('shortens a long sentence to two lines, and shows all of it on hover and in the details', async () => {
    const name = `${'Kite for the harbour '.repeat(4)}and the sea`;
    const own = await ann.createsOrganization('Harbour');
    await ann.createsProject(own, name);
    const { page } = await desk.open(ann, `/o/${own.id}/audit`);
    const row = table(page, 'Events')
      .getByRole('row')
      .filter({ hasText: `Created the project ${name}` });
    await row.waitFor();
    expect((await row.boundingBox())!.height).toBeLessThan(64);
    await row.getByTitle(`Created the project ${name}`, { exact: true }).click();
    await page.getByRole('dialog', { name: `Created the project ${name}`, exact: true }).waitFor();
  });

  // red when: each part of an event has a line of its own, below its label
  it('shows an event in two lines on a phone, without the address, which its details have', async () => {
    const visit = await desk.open(ann, address());
    const { page } = visit;
    await visit.resize(390, 'light');
    const row = table(page, 'Events').getByRole('row').filter({ hasText: 'Created the channel Beta' });
    await row.waitFor();
    expect((await row.boundingBox())!.height).toBeLessThan(72);
    expect(await row.getByText('127.0.0.1').isVisible()).toBe(false);
    await row.getByRole('button').click();
    await page.getByRole('dialog').getByText('127.0.0.1').waitFor();
  });

  it('keeps its filters in the address', async () => {
    const { page } = await desk.open(ann, address());
    await page.getByRole('combobox', { name: 'Event type', exact: true }).selectOption({ label: 'Channel renamed' });
    await status(page, '1 event').waitFor();
    await page.getByRole('combobox', { name: 'Person', exact: true }).selectOption({ label: ann.email });
    expect(new URL(page.url()).searchParams.get('type')).toBe('channel.updated');
    await page.reload();
    await status(page, '1 event').waitFor();
    await sentence(page, 'Renamed a channel to Early').waitFor();
    await page.getByRole('textbox', { name: 'IP address', exact: true }).fill('192.0.2.7');
    await page.getByRole('heading', { name: 'Nothing on this day', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Clear filters', exact: true }).click();
    await status(page, '6 events').waitFor();
    await page.getByRole('textbox', { name: 'IP address', exact: true }).fill('192.0');
    await page.getByRole('button', { name: 'Export day', exact: true }).focus();
    await page.getByText('Enter an IP address, for example 192.0.2.7.').waitFor();
  });

  it('opens the payload and the request id of an event, by keyboard and by address', async () => {
    const visit = await desk.open(ann, address());
    const { page } = visit;
    // red when: only a button at the end of the row opens the event
    await page
      .getByRole('row')
      .filter({ hasText: 'Renamed a channel to Early' })
      .getByText('127.0.0.1')
      .click({ force: true });
    await page.getByRole('dialog', { name: 'Renamed a channel to Early', exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Renamed a channel to Early', exact: true }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Renamed a channel to Early', exact: true });
    await dialog.getByText('"name": "Early"').waitFor();
    // red when: the dialog opens with the request id selected
    expect(await page.evaluate('document.activeElement.tagName')).not.toBe('INPUT');
    expect(await dialog.getByRole('textbox', { name: 'Request id', exact: true }).inputValue()).toMatch(/^[\w-]{20,}$/);
    await desk.expectAccessible(visit, 'audit-details');
    await page.reload();
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(new URL(page.url()).searchParams.has('event')).toBe(false);
  });

  it('links from a day without events to the nearest days with events', async () => {
    const visit = await desk.open(ann, address('?day=2026-01-01'));
    const { page } = visit;
    await page.getByRole('heading', { name: 'Nothing on this day', exact: true }).waitFor();
    await desk.expectAccessible(visit, 'audit-nothing');
    expect(
      await page.getByRole('button', { name: 'Previous day with events', exact: true }).getAttribute('aria-disabled'),
    ).toBe('true');
    await page.getByRole('button', { name: 'Next day with events', exact: true }).click();
    await status(page, '6 events').waitFor();
    const field = page.getByLabel('Day', { exact: true });
    expect(await field.inputValue()).toBe(day);
    await field.fill('2026-02-03');
    await page.getByRole('heading', { name: 'Nothing on this day', exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('day')).toBe('2026-02-03');
    await page.goBack();
    await status(page, '6 events').waitFor();
  });

  it('exports the day as CSV', async () => {
    const { page } = await desk.open(ann, address());
    await status(page, '6 events').waitFor();
    const [download] = await Promise.all([page.waitForEvent('download'), exportDay(page, 'As CSV')]);
    expect(download.suggestedFilename()).toBe(`audit-${day}.csv`);
    const lines = readFileSync(await download.path(), 'utf8')
      .trim()
      .split('\r\n');
    expect(lines).toHaveLength(1 + 6);
  });

  it('exports the day as JSON, with every page of its events', async () => {
    const { page } = await desk.open(ann, address());
    await status(page, '6 events').waitFor();
    // Two events in each page, as a day has that is longer than one page.
    await page.route('**/api/v1/audit/organization/*?*limit=1000*', (route) =>
      route.continue({ url: route.request().url().replace('limit=1000', 'limit=2') }),
    );
    const [download] = await Promise.all([page.waitForEvent('download'), exportDay(page, 'As JSON, with every field')]);
    expect(download.suggestedFilename()).toBe(`audit-${day}.json`);
    const { events } = JSON.parse(readFileSync(await download.path(), 'utf8')) as { events: unknown[] };
    const { body } = await ann.get(`/audit/organization/${organization.id}?day=${day}`).expect(200);
    expect(events).toEqual((body as { events: unknown[] }).events);
    expect(events).toHaveLength(6);
  });

  it('names the missing role to a member without it, and sends no request', async () => {
    const bob = await desk.app.developer();
    await desk.app.sql(`INSERT INTO membership VALUES ($1, $2, '{MEMBER}', now())`, [organization.id, bob.id]);
    const { page } = await desk.open(bob, address());
    await page.getByRole('heading', { name: 'You may not read the audit feed', exact: true }).waitFor();
    await page.getByText('Needs the role “Auditor”').waitFor();
  });

  it('speaks German', async () => {
    const { page } = await desk.open(ann, address(), { language: 'de' });
    await page.getByRole('heading', { name: 'Audit-Protokoll', exact: true }).waitFor();
    await table(page, 'Ereignisse').getByText('Kanal in Early umbenannt', { exact: true }).waitFor();
    await page.getByRole('combobox', { name: 'Art des Ereignisses', exact: true }).waitFor();
  });
});
