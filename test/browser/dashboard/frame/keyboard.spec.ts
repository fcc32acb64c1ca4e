import { type Page } from 'playwright-core';
import {
  type BuildJson,
  type Developer,
  type OrganizationRef,
  type ProjectRef,
  scope,
} from '../../../support/actors/actors';
import { apk } from '../../../support/artifacts/valid-artifacts';
import { until } from '../../../support/until';
import { type Visit } from '../../browser';
import { Desk } from '../desk';

/** The maximum number of stops from the start of a screen to any of its controls. */
const MAX_STOPS = 60;

const focusedName = (page: Page): Promise<string> =>
  page.evaluate<string>(`(() => {
    const element = document.activeElement;
    const shown = element.cloneNode(true);
    for (const picture of shown.querySelectorAll('[aria-hidden=true]')) picture.remove();
    return element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? shown.textContent.trim();
  })()`);

/** Presses Tab until the control with this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  const passed: string[] = [];
  for (let stop = 0; stop < MAX_STOPS; stop++) {
    await page.keyboard.press('Tab');
    const focused = await focusedName(page);
    if (focused === name) return;
    passed.push(focused);
  }
  throw new Error(`Tab does not reach "${name}" in ${MAX_STOPS} stops: ${passed.join(' | ')}`);
}

const heading = (page: Page, name: string | RegExp): Promise<void> =>
  page.getByRole('heading', { name, exact: true, level: 1 }).waitFor();
const dialog = (page: Page, name: string): Promise<void> => page.getByRole('dialog', { name, exact: true }).waitFor();

async function pick(page: Page, query: string): Promise<void> {
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Search or jump to', exact: true });
  await palette.getByRole('combobox').waitFor();
  await page.keyboard.type(query);
  await palette.getByRole('option').first().waitFor();
  await page.keyboard.press('Enter');
  await palette.waitFor({ state: 'detached' });
}

describe('a developer who uses only the keyboard', () => {
  let desk: Desk;
  let ann: Developer;
  let organization: OrganizationRef;
  let project: ProjectRef;
  let build: BuildJson;
  const path = (screen: string): string => `/o/${organization.id}/p/${project.id}/${screen}`;

  beforeAll(async () => {
    desk = await Desk.start();
    ann = await desk.app.developer();
    organization = await ann.createsOrganization('Acme');
    await ann.changesPlan(organization, 'business');
    project = await ann.createsProject(organization, 'Rocket');
    build = await ann.uploads(project, { bytes: apk({ versionName: '2.1.0', versionCode: 210 }), fileName: 'r.apk' });
    await ann.createsChannel(project, 'Beta');
  });
  afterEach(() => desk.endVisits());
  afterAll(() => desk?.stop());

  /** A screen that is ready for keys: its shortcuts exist when its heading does. */
  const opened = async (screen: string): Promise<Page> => {
    const { page } = await desk.open(ann, path(screen));
    await page.getByRole('heading', { level: 1 }).waitFor();
    return page;
  };
  const reads = async (address: string): Promise<string> =>
    JSON.stringify((await ann.get(`${address}?${scope(project)}`).expect(200)).body);

  it('logs in', async () => {
    const visit: Visit = await desk.visitor();
    const { page } = visit;
    await desk.go(visit, '/login');
    await tabTo(page, 'E-mail address');
    await page.keyboard.type(ann.email);
    await tabTo(page, 'Password');
    await page.keyboard.type(ann.password);
    await page.keyboard.press('Enter');
    await page.getByRole('navigation', { name: 'Organization', exact: true }).waitFor();
  });

  it('opens a build from the list, without a stop at each time', async () => {
    const page = await opened('builds');
    await page.getByRole('link', { name: '2.1.0 (210)' }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await heading(page, /2\.1\.0 \(210\)$/);
  });

  it('promotes a build', async () => {
    const page = await opened(`builds/${build.id}`);
    await page.keyboard.press('p');
    await dialog(page, 'Promote 2.1.0 (210)');
    await page.getByRole('combobox', { name: 'Channel' }).waitFor();
    await until(async () => (await focusedName(page)) === 'Promote');
    await page.keyboard.press('Enter');
    await page.getByText('2.1.0 (210) is current in Beta.').first().waitFor();
  });

  it('writes the notes of a build', async () => {
    const page = await opened(`builds/${build.id}`);
    await page.keyboard.press('e');
    await page.getByRole('textbox', { name: 'What to test', exact: true }).waitFor();
    await page.keyboard.type('The new engine.');
    await tabTo(page, 'Save notes');
    await page.keyboard.press('Enter');
    await until(async () => (await reads(`/builds/${build.id}`)).includes('The new engine.'));
  });

  it('creates a channel', async () => {
    const page = await opened('builds');
    await pick(page, 'new channel');
    await dialog(page, 'New channel');
    await page.keyboard.type('Nightly');
    await page.keyboard.press('Enter');
    await until(async () => (await reads('/channels')).includes('Nightly'));
  });

  it('adds a tester', async () => {
    const page = await opened('builds');
    await pick(page, 'add testers');
    await dialog(page, 'Add testers');
    await page.keyboard.type('tess@example.com');
    await tabTo(page, 'Add testers');
    await page.keyboard.press('Enter');
    await until(async () => (await reads('/testers')).includes('tess@example.com'));
  });

  it('makes a token', async () => {
    const page = await opened('builds');
    await pick(page, 'new token');
    await dialog(page, 'New token');
    await page.keyboard.type('Nightly builds');
    await page.keyboard.press('Enter');
    await until(async () => (await reads('/project-access-tokens')).includes('Nightly builds'));
  });

  it('invites a member', async () => {
    const page = await opened('builds');
    await page.keyboard.press('g');
    await page.keyboard.press('m');
    await heading(page, 'Members');
    await tabTo(page, 'Invite member');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
  });

  it('chooses the dark theme in the account menu', async () => {
    const page = await opened('builds');
    await tabTo(page, 'Account menu');
    await page.keyboard.press('ArrowDown');
    await page.getByRole('menu').waitFor();
    await until(async () => (await focusedName(page)) === 'System');
    await page.keyboard.press('d');
    await until(async () => (await focusedName(page)) === 'Dark');
    await page.keyboard.press('Enter');
    await until(async () => (await page.evaluate('document.documentElement.dataset.theme')) === 'dark');
  });

  it('logs out', async () => {
    const page = await opened('builds');
    await pick(page, 'log out');
    await heading(page, 'Log in');
  });
});
