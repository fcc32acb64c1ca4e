import { type Locator, type Page } from 'playwright-core';
import {
  type BuildJson,
  type ChannelJson,
  type Developer,
  type OrganizationRef,
  type ProjectRef,
  randomEmail,
  scope,
} from '../../../support/actors/actors';
import { apk } from '../../../support/artifacts/valid-artifacts';
import { USER_AGENTS } from '../../page-scenarios';
import { Desk, table } from '../desk';

interface TesterRef {
  readonly id: string;
  readonly email: string;
}

const region = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });

describe('one tester in the dashboard', () => {
  let desk: Desk;
  let ann: Developer;
  let organization: OrganizationRef;
  let project: ProjectRef;
  let build: BuildJson;
  let beta: ChannelJson;
  beforeAll(async () => {
    desk = await Desk.start();
    ann = await desk.app.developer();
    organization = await ann.createsOrganization('Acme');
    await ann.changesPlan(organization, 'business');
    project = await ann.createsProject(organization, 'Rocket');
    build = await ann.uploads(project, {
      bytes: apk({ versionName: '2.1.0', versionCode: 210 }),
      fileName: 'rocket.apk',
    });
    await ann.createsChannel(project, 'Store');
    beta = await ann.createsChannel(project, 'Beta');
    await ann.promotes(project, beta, build);
  });
  afterEach(() => desk.endVisits());
  afterAll(() => desk?.stop());

  const adds = async (name?: string): Promise<TesterRef> => {
    const { body } = await ann.post(`/testers?${scope(project)}`, { email: randomEmail(), name }).expect(201);
    return body as TesterRef;
  };
  const path = ({ id }: TesterRef): string => `/o/${organization.id}/p/${project.id}/testers/${id}`;

  it('says that no mail reaches them and why, in the list too, until they are invited again', async () => {
    const tess = await adds('Tess Bounce');
    await desk.app.sql(`UPDATE tester SET bounced_at = now(), bounce_code = '5.1.1' WHERE id = $1`, [tess.id]);
    const visit = await desk.open(ann, path(tess));
    const { page } = visit;
    await page.getByText('No mail reaches this address (5.1.1)').waitFor();
    await page.getByText('Address invalid').first().waitFor();
    await desk.expectAccessible(visit, 'tester-bounced');
    const list = await desk.open(ann, `/o/${organization.id}/p/${project.id}/testers?state=bounced`);
    await list.page.getByText(tess.email).first().waitFor();
    await ann.post(`/testers/${tess.id}/invite?${scope(project)}`).expect(204);
    await page.reload();
    await page.getByText(tess.email).first().waitFor();
    await page.getByText('No mail reaches this address (5.1.1)').waitFor({ state: 'detached' });
  });

  it('shows their state, their channels and their downloads', async () => {
    const tess = await adds('Tess');
    await ann.request('put', `/testers/${tess.id}/subscriptions/${beta.id}?${scope(project)}`).expect(200);
    await ann.post(`/testers/${tess.id}/invite?${scope(project)}&channel_id=${beta.id}`).expect(204);
    const link = await desk.app.mailbox.link(tess.email);
    const file = await fetch(`${desk.app.address}${link.pathname}/latest/android/package`, {
      headers: { 'User-Agent': USER_AGENTS.android },
    });
    expect(file.status).toBe(200);
    await file.arrayBuffer();

    const visit = await desk.open(ann, path(tess));
    const { page } = visit;
    await page.getByRole('heading', { name: 'Tess', level: 1 }).waitFor();
    expect(await page.title()).toBe('Tess · Rocket · Agate');
    const state = page.getByText('Has 2.1.0 (210)', { exact: true });
    await state.waitFor();
    // red when: the state of the tester stands below their channels
    expect((await state.boundingBox())!.y).toBeLessThan((await region(page, 'Downloads').boundingBox())!.y);
    const row = table(page, 'Downloads').getByRole('row').filter({ hasText: '2.1.0 (210)' });
    expect(await row.textContent()).toMatch(/Android.*Beta/);
    await page.getByRole('status').filter({ hasText: '1 download' }).waitFor();
    expect(await page.getByRole('checkbox', { name: `Beta for ${tess.email}` }).isChecked()).toBe(true);
    await desk.expectAccessible(visit, 'tester');
    // red when: each fact of a download has a line of its own on a phone
    await visit.resize(390, 'light');
    expect((await row.boundingBox())!.height).toBeLessThan(100);
    await visit.resize(1280, 'light');

    const store = page.getByRole('checkbox', { name: `Store for ${tess.email}` });
    await store.focus();
    await Promise.all([page.waitForResponse(/\/subscriptions\//), page.keyboard.press('Space')]);
    await page.reload();
    expect(await store.isChecked()).toBe(true);
  });

  it('is erased after the address was typed, and the list of testers follows', async () => {
    const eve = await adds();
    const { page } = await desk.open(ann, path(eve));
    await region(page, 'Downloads').getByRole('heading', { name: 'No download yet' }).waitFor();
    await page.getByRole('button', { name: `Actions for ${eve.email}` }).click();
    await page.getByRole('menuitem', { name: 'Erase tester' }).click();
    const question = page.getByRole('alertdialog');
    await question.getByRole('textbox').fill(eve.email);
    await question.getByRole('button', { name: 'Erase tester' }).click();
    await page.waitForURL('**/testers');
    await page.getByRole('heading', { name: 'Testers', level: 1 }).waitFor();
  });

  it('hides the activity of testers from a viewer, in German, and is not found by another id', async () => {
    const tess = await adds();
    const bob = await desk.app.developer();
    await desk.app.sql(`INSERT INTO membership VALUES ($1, $2, '{READ}', now())`, [organization.id, bob.id]);
    const visit = await desk.open(bob, path(tess), { language: 'de' });
    const { page } = visit;
    await region(page, 'Fortschritt').getByText('Erfordert die Rolle').waitFor();
    await region(page, 'Downloads').getByText('Erfordert die Rolle').waitFor();
    await desk.expectAccessible(visit, 'tester-viewer-de');
    await visit.open(`${desk.app.address}${path({ ...tess, id: build.id })}`);
    await page.getByRole('heading', { name: 'Nicht gefunden' }).waitFor();
    visit.allowProblems('status of 404');
  });
});
