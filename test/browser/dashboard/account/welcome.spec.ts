import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { type Page } from 'playwright-core';
import { type Developer, scope } from '../../../support/actors/actors';
import { apk, ipa } from '../../../support/artifacts/valid-artifacts';
import { until } from '../../../support/until';
import { Desk } from '../desk';

const CI_SYSTEMS = ['GitHub Actions', 'GitLab CI', 'fastlane', 'Jenkins', 'curl'];

/** The parts of the page that screen readers know by these roles and names. */
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });

describe('the first steps in the dashboard', () => {
  let desk: Desk;
  let folder: string;
  let ann: Developer;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agate-welcome-'));
    desk = await Desk.start();
  });
  beforeEach(async () => {
    ann = await desk.app.developer();
  });
  afterEach(() => desk.endVisits());
  afterAll(async () => {
    await desk?.stop();
    await rm(folder, { recursive: true });
  });

  /** The content of the clipboard, or first replaces it. Scripts of the page may not read it. */
  const pasted = async (page: Page, replacement?: string): Promise<string> => {
    await page.evaluate(`document.body.append(Object.assign(document.createElement('textarea'), { id: 'pasted' }))`);
    await page.locator('#pasted').focus();
    if (replacement !== undefined) await page.locator('#pasted').fill(replacement);
    if (replacement !== undefined) await page.locator('#pasted').selectText();
    await page.keyboard.press(replacement === undefined ? 'Control+V' : 'Control+C');
    const text = await page.locator('#pasted').inputValue();
    await page.evaluate(`document.querySelector('#pasted').remove()`);
    return text;
  };
  /** Runs the command of the copied step, in a folder with a build where the Android Gradle Plugin puts it. */
  const runGitHubStep = async (secret: string, workflow: string): Promise<void> => {
    const outputs = path.join(folder, 'app/build/outputs/apk/release');
    await mkdir(outputs, { recursive: true });
    await writeFile(path.join(outputs, 'app-debug.apk'), apk({ versionCode: 8 }));
    const valueOf = (name: string): string => new RegExp(`${name}: (\\S+)`).exec(workflow)![1]!;
    const environment = {
      PATH: process.env['PATH'],
      AGATE_URL: valueOf('AGATE_URL'),
      AGATE_PROJECT: valueOf('AGATE_PROJECT'),
      AGATE_TOKEN: /^gh secret set AGATE_TOKEN --body (ag_prj_\w+)$/.exec(secret)![1],
    };
    const [, command = ''] = /run: (.+)/.exec(workflow)!;
    await promisify(execFile)('sh', ['-c', command], { cwd: folder, env: environment });
  };
  /** Presses a button that copies a text for a CI system. Returns the text, as the clipboard then has it. */
  const copied = async (page: Page, system: string, what: string): Promise<string> => {
    await page.getByRole('combobox', { name: 'CI system', exact: true }).selectOption({ label: system });
    await pasted(page, 'nothing yet');
    await button(page, what).click();
    await until(async () => (await pasted(page)) !== 'nothing yet');
    return pasted(page);
  };
  const SECRET = 'Copy secret command';
  const WORKFLOW = 'Copy workflow';

  it('lead to a first build that can be installed, and to a snippet that uploads the next one', async () => {
    const visit = await desk.open(ann, '/');
    const { page } = visit;
    await heading(page, 'Welcome to Agate').waitFor();
    const steps = page.getByRole('list', { name: 'Steps', exact: true });
    await steps.waitFor();
    expect(await steps.getByRole('listitem').count()).toBe(4);
    await desk.expectAccessible(visit, 'welcome-organization');
    await page.getByRole('textbox', { name: 'Organization name', exact: true }).press('Enter');
    await page.getByText('Fill in this field.').waitFor();
    await page.keyboard.type('Acme');
    await page.keyboard.press('Enter');

    await field(page, 'Project name').waitFor();
    await page.reload();
    await field(page, 'Project name').fill('Rocket');
    await button(page, 'Create project').click();

    const region = page.getByRole('region', { name: 'Upload your first build', exact: true });
    await region.waitFor();
    await desk.expectAccessible(visit, 'welcome-build');
    const file = path.join(folder, 'Rocket.ipa');
    await writeFile(file, ipa());
    const choose = region.getByRole('button', { name: 'Choose file', exact: true });
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), choose.click()]);
    await chooser.setFiles(file);
    await heading(page, 'Your first build is ready').waitFor();
    await page.getByRole('img', { name: 'QR code of the install link', exact: true }).waitFor();

    const [organization] = (await ann.get('/organizations').expect(200)).body as { id: string }[];
    const { body } = await ann.get(`/projects?organization_id=${organization!.id}`).expect(200);
    const project = { id: (body as { items: { id: string }[] }).items[0]!.id, organizationId: organization!.id };
    const builds = async (): Promise<{ file_name: string; install_url: string }[]> =>
      ((await ann.get(`/builds?${scope(project)}`)).body as { items: { file_name: string; install_url: string }[] })
        .items;
    await page.getByRole('main').getByRole('button', { name: 'Copy install link', exact: true }).click();
    await page.getByRole('main').getByRole('status').filter({ hasText: 'Copied' }).waitFor();
    expect(await pasted(page)).toBe((await builds())[0]!.install_url);

    for (const system of CI_SYSTEMS) {
      const workflow = await copied(page, system, WORKFLOW);
      expect(workflow).not.toMatch(/ag_prj_/);
      expect(workflow).toContain(project.id);
    }
    // red when: copying the workflow makes a token
    const tokens = async (): Promise<{ name: string; role: string; expires_at: string; last4: string }[]> => {
      const page = (await ann.get(`/project-access-tokens?${scope(project)}`).expect(200)).body as { items: [] };
      return page.items;
    };
    expect(await tokens()).toEqual([]);
    const secrets: Record<string, string> = {};
    for (const system of CI_SYSTEMS) {
      secrets[system] = await copied(page, system, SECRET);
      expect(secrets[system]).toMatch(/ag_prj_\w+$/);
      expect(await copied(page, system, SECRET)).toBe(secrets[system]);
      expect(await page.content()).not.toMatch(/ag_prj_\w/);
    }
    const made = await tokens();
    expect(made.map(({ name }) => name).reverse()).toEqual(CI_SYSTEMS);
    for (const { role, expires_at: expiresAt } of made) {
      expect(role).toBe('UPLOAD_BUILD');
      expect(Math.round((Date.parse(expiresAt) - Date.now()) / 86_400_000)).toBeGreaterThanOrEqual(365);
      expect(Math.round((Date.parse(expiresAt) - Date.now()) / 86_400_000)).toBeLessThanOrEqual(366);
    }
    await writeFile(path.join(folder, 'app-release.apk'), apk());
    const script = `${secrets['curl']!}\n${await copied(page, 'curl', WORKFLOW)}`;
    await promisify(execFile)('sh', ['-c', script], { cwd: folder });
    await runGitHubStep(secrets['GitHub Actions']!, await copied(page, 'GitHub Actions', WORKFLOW));
    expect((await builds()).map(({ file_name: name }) => name)).toEqual([
      'app-debug.apk',
      'app-release.apk',
      'Rocket.ipa',
    ]);

    const last4 = made.find(({ name }) => name === 'GitHub Actions')!.last4;
    await page.getByText(`Token GitHub Actions (…${last4}) was made.`).waitFor();
    const link = page.getByRole('main').getByRole('link', { name: 'Tokens', exact: true });
    expect(await link.getAttribute('href')).toBe(`/o/${project.organizationId}/p/${project.id}/tokens`);
    await button(page, 'Show the token').click();
    const secret = page.getByRole('dialog', { name: 'Copy your token now', exact: true });
    expect(await secret.getByRole('textbox', { name: 'Token', exact: true }).inputValue()).toMatch(/^ag_prj_/);
    await secret.getByRole('checkbox', { name: 'I have kept it', exact: true }).check();
    await secret.getByRole('button', { name: 'Done', exact: true }).click();
    await secret.waitFor({ state: 'detached' });
    expect(await page.content()).not.toMatch(/ag_prj_\w/);
    // While it is shown, "Copied" covers a text, and axe cannot judge the contrast of that text.
    const ready = page.getByRole('region', { name: 'Your first build is ready', exact: true });
    await ready.getByRole('status').filter({ hasText: 'Copied' }).waitFor({ state: 'detached' });
    await desk.expectAccessible(visit, 'welcome-ready');
  });

  // red when: the first copy after a reload makes a token
  it('ask before a second token is made for a CI system, in German too', async () => {
    const project = await ann.createsProject(await ann.createsOrganization('Acme'), 'Rocket');
    await ann.post(`/project-access-tokens?${scope(project)}`, { name: 'GitHub Actions', role: 'UPLOAD_BUILD' });
    const tokens = async (): Promise<{ last4: string }[]> =>
      ((await ann.get(`/project-access-tokens?${scope(project)}`).expect(200)).body as { items: { last4: string }[] })
        .items;
    const [{ last4 } = { last4: '' }] = await tokens();
    const visit = await desk.open(ann, `/o/${project.organizationId}/p/${project.id}`, { language: 'de' });
    const { page } = visit;
    const copy = button(page, 'Befehl mit Geheimnis kopieren');
    const question = page.getByRole('alertdialog', { name: 'Noch ein Token „GitHub Actions“ erstellen?', exact: true });
    await copy.click();
    await question.getByText(`Es gibt ein Token GitHub Actions (…${last4})`).waitFor();
    await desk.expectAccessible(visit, 'ci-another-token');
    await question.getByRole('button', { name: 'Abbrechen', exact: true }).click();
    expect(await tokens()).toHaveLength(1);
    await copy.click();
    await question.getByRole('button', { name: 'Weiteres Token erstellen', exact: true }).click();
    await question.waitFor({ state: 'detached' });
    await until(async () => (await tokens()).length === 2);
    const [newest] = await tokens();
    await page.getByText(`Das Token GitHub Actions (…${newest!.last4}) wurde erstellt.`).waitFor();
    await desk.expectAccessible(visit, 'ci-snippet');
  });

  it('show the build that comes from CI without a reload', async () => {
    const organization = await ann.createsOrganization('Acme');
    const project = await ann.createsProject(organization, 'Rocket');
    const visit = await desk.open(ann, `/welcome?org=${organization.id}&project=${project.id}`, { language: 'de' });
    const { page } = visit;
    await heading(page, 'Willkommen bei Agate').waitFor();
    await heading(page, 'Ersten Build hochladen').waitFor();
    await ann.uploads(project, { bytes: apk(), fileName: 'Rocket.apk' });
    await heading(page, 'Ihr erster Build ist bereit').waitFor();
    expect(await page.evaluate<string>('document.documentElement.lang')).toBe('de');
    await visit.screenshot('dashboard-welcome-german');
  });

  it('begin with the invitations, of which one is declined and one accepted', async () => {
    const bob = await desk.app.developer();
    const organizations = await Promise.all(['Acme', 'Umbrella'].map((name) => bob.createsOrganization(name)));
    for (const { id } of organizations) {
      await bob.post(`/organizations/${id}/invitations`, { email: ann.email, roles: ['READ'] }).expect(201);
    }
    const visit = await desk.open(ann, '/');
    const { page } = visit;
    const invitations = page.getByRole('region', { name: 'Invitations to you', exact: true });
    const of = (name: string) => invitations.getByRole('listitem').filter({ hasText: name });
    await of('Umbrella').waitFor();
    await desk.expectAccessible(visit, 'welcome-invitations');
    await of('Umbrella').getByRole('button', { name: 'Decline', exact: true }).click();
    await of('Umbrella').waitFor({ state: 'detached' });
    await of('Acme').getByRole('button', { name: 'Accept', exact: true }).press('Enter');
    await page.waitForURL(`**/o/${organizations[0]!.id}`);
    const left = async (): Promise<number> =>
      ((await ann.get('/developers/me/invitations').expect(200)).body as { items: object[] }).items.length;
    await until(async () => (await left()) === 0);
    expect((await ann.get('/organizations').expect(200)).body).toMatchObject([{ name: 'Acme', roles: ['READ'] }]);
  });

  it('show the reason to a member who may not create projects', async () => {
    const bob = await desk.app.developer();
    const { id } = await bob.createsOrganization('Acme');
    await bob.post(`/organizations/${id}/invitations`, { email: ann.email, roles: ['READ'] }).expect(201);
    const { body } = await ann.get('/developers/me/invitations').expect(200);
    const [invitation] = (body as { items: { id: string }[] }).items;
    await ann.post(`/developers/me/invitations/${invitation!.id}/accept`).expect(200);
    const { page } = await desk.open(ann, `/welcome?org=${id}`);
    const create = button(page, 'Create project');
    await field(page, 'Project name').fill('Rocket');
    await create.press('Enter');
    expect(await create.getAttribute('aria-disabled')).toBe('true');
    await page.getByText('Needs the role “Manager”').first().waitFor();
    await page.goto(`${desk.app.address}/welcome?org=${ann.id}`);
    await heading(page, 'Not found').waitFor();
  });
});
