import { type Locator, type Page } from 'playwright-core';
import { type Developer, type OrganizationRef, type ProjectRef } from '../../../support/actors/actors';
import { png } from '../../../support/artifacts/png-writer';
import { apk } from '../../../support/artifacts/valid-artifacts';
import { Desk, PHONE } from '../desk';

interface StyledWindow {
  readonly getComputedStyle: (element: unknown) => { readonly backgroundColor: string };
}

const LOGO = png({ width: 240, height: 60, colour: [138, 28, 91, 255] });

describe('the branding in the dashboard', () => {
  let desk: Desk;
  let ann: Developer;
  let organization: OrganizationRef;
  let project: ProjectRef;
  let installUrl: string;
  beforeAll(async () => {
    desk = await Desk.start();
    ann = await desk.app.developer();
    organization = await ann.createsOrganization('Tidewater Labs Inc.');
    project = await ann.createsProject(organization, 'Rocket');
    installUrl = (await ann.uploads(project, { bytes: apk(), fileName: 'rocket.apk' })).install_url!;
  });
  afterEach(() => desk.endVisits());
  afterAll(() => desk?.stop());

  const address = (): string => `/o/${organization.id}/settings/branding`;
  const field = (page: Page, name: string): Locator => page.getByRole('textbox', { name, exact: true });
  const phone = (page: Page, name: string): Locator => page.getByRole('figure', { name });
  const colorOf = (locator: Locator): Promise<string> =>
    locator.evaluate(
      (element: unknown) => (globalThis as unknown as StyledWindow).getComputedStyle(element).backgroundColor,
    );
  const choosesLogo = (page: Page, buffer: Buffer, mimeType = 'image/png'): Promise<void> =>
    page.locator('input[type=file]').setInputFiles({ name: 'logo.png', mimeType, buffer });

  it('is typed, previewed in both themes, warned about, saved by keyboard and shown to testers', async () => {
    const visit = await desk.open(ann, `/o/${organization.id}/settings`);
    const { page } = visit;
    await page.getByRole('link', { name: 'Open branding' }).press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Branding' }).waitFor();
    await phone(page, 'Light theme').getByText('Tidewater Labs Inc. sends you this app').waitFor();
    await desk.expectAccessible(visit, 'branding-empty');

    await field(page, 'Name for testers').fill('Tidewater');
    await phone(page, 'Dark theme').getByText('Tidewater sends you this app').waitFor();
    await field(page, 'Accent colour').fill('#ffcc00');
    await page.getByText('Contrast 1.3: testers could not read it.').waitFor();
    const install = phone(page, 'Light theme').getByText('Install', { exact: true });
    expect(await colorOf(install)).toBe('rgb(11, 95, 104)');
    await field(page, 'Accent colour').press('Enter');
    // The browser's own check keeps the form from being sent.
    expect((await ann.get(`/organizations/${organization.id}/branding`)).body).toMatchObject({ display_name: null });
    await desk.expectAccessible(visit, 'branding-low-contrast');

    await field(page, 'Accent colour').fill('#8a1c5b');
    await page.getByText(/^Contrast \d\.\d: readable\.$/).waitFor();
    expect(await colorOf(install)).toBe('rgb(138, 28, 91)');
    const dark = await colorOf(phone(page, 'Dark theme').getByText('Install', { exact: true }));
    expect(dark).not.toBe('rgb(138, 28, 91)');
    await choosesLogo(page, Buffer.from('GIF89a'), 'image/gif');
    await page.getByText('This is not a PNG that can be read.').waitFor();
    await choosesLogo(page, LOGO);
    await phone(page, 'Dark theme').getByRole('img', { name: 'Tidewater' }).waitFor();
    await field(page, 'Contact').fill('beta@tidewater.example');
    await field(page, 'Address of the privacy policy').fill('https://tidewater.example/privacy');
    await desk.expectAccessible(visit, 'branding-typed');
    await field(page, 'Contact').press('Enter');
    await page.getByText('The branding was saved.').waitFor();
    expect((await ann.get(`/organizations/${organization.id}/branding`)).body).toMatchObject({
      display_name: 'Tidewater',
      logo: LOGO.toString('base64'),
      contact: 'beta@tidewater.example',
      accent: '#8a1c5b',
    });
    await page.reload();
    await phone(page, 'Light theme').getByRole('img', { name: 'Tidewater' }).waitFor();
    expect(await field(page, 'Contact').inputValue()).toBe('beta@tidewater.example');

    const tester = await desk.visitor();
    await tester.open(installUrl);
    await tester.page.getByRole('img', { name: 'Tidewater' }).waitFor();
    const evaluate = (script: string): Promise<unknown> => tester.page.evaluate(script);
    expect(await evaluate(`document.querySelector('.brand img').naturalWidth`)).toBe(240);
    expect(await evaluate(`document.querySelectorAll('[style]').length`)).toBe(0);
    await tester.expectAccessible('install-branded');
  });

  // red when: leaving does not ask, or the chosen logo does not count as typed
  it('does not lose what was typed', async () => {
    const visit = await desk.open(ann, address());
    const { page } = visit;
    await field(page, 'Contact').fill('Room 4');
    await page.getByRole('link', { name: 'Members' }).click();
    const question = page.getByRole('alertdialog', { name: 'Leave without saving?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    expect(await field(page, 'Contact').inputValue()).toBe('Room 4');
    await field(page, 'Contact').fill('beta@tidewater.example');
    await page.getByRole('button', { name: 'Remove the logo' }).click();
    await page.getByRole('link', { name: 'Members' }).click();
    await question.getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('heading', { level: 1, name: 'Members' }).waitFor();
  });

  it('is read, and not changed, by members who are not Admin', async () => {
    const bob = await desk.app.developer();
    await desk.app.sql(
      `INSERT INTO membership (organization_id, developer_id, roles, created_at) VALUES ($1, $2, '{READ}', now())`,
      [organization.id, bob.id],
    );
    const { page } = await desk.open(bob, address());
    await page.getByText(/Admin/).first().waitFor();
    expect(await page.getByRole('button', { name: 'Save changes' }).count()).toBe(0);
    await phone(page, 'Light theme').waitFor();
  });

  it('speaks German, on a phone', async () => {
    const visit = await desk.open(ann, address(), { reader: PHONE, language: 'de' });
    const { page } = visit;
    await page.getByRole('heading', { level: 1, name: 'Erscheinungsbild' }).waitFor();
    await phone(page, 'Dunkles Design').getByText('schickt Ihnen diese App').waitFor();
    await field(page, 'Akzentfarbe').fill('#ffcc00');
    await page.getByText('Kontrast 1,3').waitFor();
    await field(page, 'Akzentfarbe').fill('#8a1c5b');
    await desk.expectAccessible(visit, 'branding-german');
  });
});
