import { type Locator, type Page } from 'playwright-core';
import {
  type Developer,
  type OrganizationRef,
  type ProjectRef,
  randomEmail,
  scope,
} from '../../../support/actors/actors';
import { apk } from '../../../support/artifacts/valid-artifacts';
import { Desk } from '../desk';

const button = (within: Page | Locator, name: string): Locator => within.getByRole('button', { name, exact: true });
const textbox = (within: Page | Locator, name: string): Locator => within.getByRole('textbox', { name, exact: true });

/** Presses beside a dialog. */
const pressBeside = (page: Page): Promise<void> => page.mouse.click(5, 5);

describe('typed text in the dashboard', () => {
  let desk: Desk;
  let ann: Developer;
  let organization: OrganizationRef;
  let project: ProjectRef;
  beforeAll(async () => {
    desk = await Desk.start();
    ann = await desk.app.developer();
    organization = await ann.createsOrganization('Acme');
    await ann.changesPlan(organization, 'business');
    project = await ann.createsProject(organization, 'Rocket');
  });
  afterEach(() => desk.endVisits());
  afterAll(() => desk?.stop());

  const inProject = (rest: string): string => `/o/${organization.id}/p/${project.id}${rest}`;

  const DIALOGS: readonly (readonly [title: string, field: string, address: () => string])[] = [
    ['Add testers', 'E-mail addresses', () => inProject('/testers?add=1')],
    ['Invite member', 'E-mail address', () => `/o/${organization.id}/members?invite=1`],
  ];

  // red when: the field of the dialog has no draft
  it.each(DIALOGS)('survives Escape, a press beside the dialog and a reload: %s', async (title, name, address) => {
    const visit = await desk.open(ann, address());
    const { page } = visit;
    const dialog = page.getByRole('dialog', { name: title, exact: true });
    const field = textbox(dialog, name);
    const text = randomEmail();
    await field.fill(text);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await button(page, title).first().click();
    expect(await field.inputValue()).toBe(text);
    await pressBeside(page);
    await dialog.waitFor({ state: 'detached' });
    await visit.open(desk.app.address + address());
    expect(await field.inputValue()).toBe(text);
    // Cancel discards.
    await button(dialog, 'Cancel').click();
    await dialog.waitFor({ state: 'detached' });
    await button(page, title).first().click();
    expect(await field.inputValue()).toBe('');
  });

  // red when: the fields are in the memory of the page only, or when the secret is kept with them
  it('of the settings of own storage survives a reload, except for the secret', async () => {
    const { page } = await desk.open(ann, `/o/${organization.id}/storage`);
    const [region, bucket] = [textbox(page, 'Region'), textbox(page, 'Bucket')];
    await region.fill('eu-central-1');
    await bucket.fill('acme-builds');
    const secret = page.getByLabel('Secret access key', { exact: true });
    await secret.fill('very-secret');
    await page.reload();
    expect(await bucket.inputValue()).toBe('acme-builds');
    expect(await region.inputValue()).toBe('eu-central-1');
    expect(await secret.inputValue()).toBe('');
    expect(await page.evaluate<string>('JSON.stringify(sessionStorage)')).not.toContain('very-secret');
  });

  // red when: the form is not guarded
  it.each([
    ['a project', () => inProject('/settings')],
    ['an organization', () => `/o/${organization.id}/settings`],
  ])('in the settings of %s is left only after a question', async (_, address) => {
    const visit = await desk.open(ann, address());
    const { page } = visit;
    const name = textbox(page, 'Name');
    const before = await name.inputValue();
    await name.fill('Something else');
    const question = page.getByRole('alertdialog', { name: 'Leave without saving?', exact: true });
    const away = page.getByRole('navigation').getByRole('link', { name: 'All projects', exact: true }).first();
    await away.click();
    await question.waitFor();
    await desk.expectAccessible(visit, 'unsaved');
    await button(question, 'Cancel').click();
    await question.waitFor({ state: 'detached' });
    expect(await name.inputValue()).toBe('Something else');
    await away.click();
    await button(question, 'Leave').click();
    await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
    await desk.go(visit, address());
    expect(await name.inputValue()).toBe(before);
    // A saved text needs no question.
    await name.fill(`${before} 2`);
    await button(page, 'Save changes').first().click();
    await page.getByRole('status').filter({ hasText: 'The changes were saved.' }).first().waitFor();
    await away.click();
    await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
  });

  // red when: the screen of a missing build shows only that it is missing
  it('as notes of a build is shown when another person deletes the build', async () => {
    const build = await ann.uploads(project, { bytes: apk({ versionName: '3.0.0' }), fileName: 'rocket.apk' });
    const visit = await desk.open(ann, inProject(`/builds/${build.id}`));
    const { page } = visit;
    await button(page, 'Edit notes').click();
    await textbox(page, 'What to test').fill('Try the new engine');
    await ann.request('delete', `/builds/${build.id}?${scope(project)}`).expect(204);
    await page.getByText('This build is in the trash until').waitFor();
    expect(await textbox(page, 'Your notes').inputValue()).toBe('Try the new engine');
    visit.allowProblems('status of 404');
    await desk.expectAccessible(visit, 'notes-of-deleted-build');
    await button(page, 'Discard notes').click();
    await textbox(page, 'Your notes').waitFor({ state: 'detached' });
  });
});
