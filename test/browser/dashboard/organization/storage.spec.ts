import { type Locator } from 'playwright-core';
import { ByosaService } from '#modules/storage';
import { type Developer, type OrganizationRef } from '../../../support/actors/actors';
import { customerS3, type CustomerStore, ON_THIS_MACHINE, putByosa, s3Settings } from '../../../support/actors/byosa';
import { type S3Server } from '../../../support/servers/stores/s3-server';
import { type Visit } from '../../browser';
import { Desk } from '../desk';

describe('own storage in the dashboard', () => {
  let desk: Desk;
  let store: CustomerStore & { readonly proxy: S3Server };
  let ann: Developer;
  let organization: OrganizationRef;
  let visit: Visit;
  beforeAll(async () => {
    [desk, store] = await Promise.all([Desk.start(ON_THIS_MACHINE), customerS3()]);
    ann = await desk.app.developer();
  });
  beforeEach(async () => {
    organization = await ann.createsOrganization('Acme');
    await ann.changesPlan(organization, 'business');
  });
  afterEach(() => desk.endVisits());
  afterAll(async () => {
    await desk?.stop();
    await store?.stop();
  });

  const address = (): string => `/o/${organization.id}/storage`;
  const button = (name: string): Locator => visit.page.getByRole('button', { name, exact: true });
  const field = (name: string): Locator => visit.page.getByLabel(name, { exact: true });
  const check = (text: string): Locator =>
    visit.page.getByRole('list', { name: 'Checks', exact: true }).getByText(text, { exact: true });
  const state = (name: string): Locator =>
    visit.page.getByRole('list', { name: 'State', exact: true }).locator('[aria-current]').filter({ hasText: name });
  const stored = async (): Promise<Record<string, unknown>> =>
    (await ann.get(`/organizations/${organization.id}/byosa`).expect(200)).body as Record<string, unknown>;
  const configured = async (): Promise<string> => {
    const settings = s3Settings(store.proxy.bucket());
    await putByosa(ann, organization, { s3: settings }).expect(200);
    return settings.bucket;
  };

  it('is set up by keyboard: a check that fails says its remedy, then all pass, and the secret is never shown again', async () => {
    const settings = s3Settings(store.proxy.bucket());
    visit = await desk.open(ann, address());
    await state('Hosted').waitFor();
    await visit.page.getByRole('radio', { name: 'S3 or compatible', exact: true }).waitFor();
    await desk.expectAccessible(visit, 'storage-set-up');
    await field('Endpoint').fill('http://127.0.0.1:9');
    await field('Region').fill(settings.region);
    await field('Bucket').fill(settings.bucket);
    // red when: the policy stands between the fields, or the way back among the steps
    await visit.page.getByText('Which permissions the access key needs', { exact: true }).click();
    await visit.page.getByText(`arn:aws:s3:::${settings.bucket}/*`).waitFor();
    expect(await visit.page.getByRole('list', { name: 'State', exact: true }).getByRole('listitem').count()).toBe(3);
    await field('Access key ID').fill(settings.access_key_id);
    await field('Secret access key').fill(settings.secret_access_key);
    await field('Secret access key').press('Enter');
    await check('Reach: failed').waitFor();
    await check('Write: skipped').waitFor();
    await visit.page.getByText(/No object store responded at this address/).waitFor();
    expect(visit.problems).toEqual([expect.stringContaining('400')]);
    visit.problems.length = 0;
    await desk.expectAccessible(visit, 'storage-failed');
    expect(await stored()).toMatchObject({ state: 'none' });

    await field('Endpoint').fill(settings.endpoint!);
    await field('Secret access key').press('Enter');
    await check('Write: passed').waitFor();
    await state('Configured').waitFor();
    await button('Run checks again').waitFor();
    expect(await visit.page.content()).not.toContain(settings.secret_access_key);
    expect(await stored()).toMatchObject({ state: 'configured', s3: { bucket: settings.bucket } });
  });

  it('says the remedies of failed checks in German', async () => {
    await configured();
    visit = await desk.open(ann, address(), { language: 'de' });
    const { page } = visit;
    store.proxy.fault = ({ method }) =>
      method === 'PUT' ? { kind: 'error', status: 403, code: 'AccessDenied' } : undefined;
    await page.getByRole('button', { name: 'Prüfungen wiederholen', exact: true }).click();
    await page
      .getByText(/^Die Zugangsdaten sind gültig, erlauben das aber nicht\. Erlauben Sie das Schreiben/)
      .waitFor();
    store.proxy.fault = () => undefined;
    await ann.delete(`/organizations/${organization.id}/byosa`);
  });

  it('keeps the kind in the address', async () => {
    visit = await desk.open(ann, address());
    await field('Region').fill('eu-central-1');
    await visit.page.getByRole('radio', { name: 'Azure Blob Storage', exact: true }).check();
    await field('Account key').waitFor();
    await visit.page.getByRole('radio', { name: 'S3 or compatible', exact: true }).check();
    expect(await field('Region').inputValue()).toBe('eu-central-1');
    await visit.page.getByRole('radio', { name: 'Azure Blob Storage', exact: true }).check();
    await visit.page.waitForURL(/kind=azure/);
    await visit.page.reload();
    await field('Account key').waitFor();
  });

  it('is checked again, gets other credentials, and is stopped', async () => {
    const bucket = await configured();
    visit = await desk.open(ann, address());
    await visit.page.getByText(bucket, { exact: true }).waitFor();
    store.proxy.fault = ({ method }) =>
      method === 'PUT' ? { kind: 'error', status: 403, code: 'AccessDenied' } : undefined;
    await button('Run checks again').click();
    await check('List: passed').waitFor();
    await check('Write: failed').waitFor();
    await visit.page.getByText(/Allow writing/).waitFor();
    store.proxy.fault = () => undefined;
    await desk.expectAccessible(visit, 'storage-configured');

    await button('Change credentials').click();
    await visit.page.waitForURL(/change=credentials/);
    expect(await field('Secret access key').inputValue()).toBe('');
    const { access_key_id: id, secret_access_key: secret } = s3Settings(store.proxy.bucket());
    await field('Access key ID').fill(id);
    await field('Secret access key').fill(secret);
    await button('Test and save').click();
    await check('Delete: passed').waitFor();

    await button('Stop using own storage').click();
    const dialog = visit.page.getByRole('alertdialog', { name: 'Stop using own storage?', exact: true });
    await dialog.getByRole('button', { name: 'Stop using own storage', exact: true }).click();
    await state('Hosted').waitFor();
    expect(await stored()).toMatchObject({ state: 'none' });
  });

  it('shows that it is active, then drained, and that its place cannot change', async () => {
    await configured();
    await desk.app.nest.get(ByosaService).flip(desk.app.systemContext, organization.id, 'byosa');
    visit = await desk.open(ann, address());
    await state('Active').waitFor();
    await button('Change credentials').click();
    expect(await field('Bucket').getAttribute('readonly')).not.toBeNull();
    await button('Cancel').click();
    await button('Stop using own storage').click();
    await visit.page.getByRole('alertdialog').getByRole('button', { name: 'Stop using own storage' }).click();
    await state('Draining').waitFor();
    await visit.page.getByText(/byosa flip .* --to hosted --copy/).waitFor();
    expect(await button('Stop using own storage').getAttribute('aria-disabled')).toBe('true');
  });

  it('names the plan and the role that it needs, and is German', async () => {
    const team = await ann.createsOrganization('Team');
    visit = await desk.open(ann, `/o/${team.id}/storage`);
    await visit.page.getByRole('heading', { name: 'Own storage needs the Business plan', exact: true }).waitFor();
    await desk.expectAccessible(visit, 'storage-team');
    await visit.page.getByRole('link', { name: 'See plans', exact: true }).click();
    await visit.page.getByRole('heading', { name: 'Billing and usage', exact: true }).waitFor();

    const eve = await desk.app.developer();
    await desk.app.sql(`INSERT INTO membership VALUES ($1, $2, '{READ}', now())`, [organization.id, eve.id]);
    const refused = await desk.open(eve, address());
    await refused.page.getByRole('heading', { name: 'Needs the role “Admin”', exact: true }).waitFor();
    const german = await desk.open(ann, address(), { language: 'de' });
    await german.page.getByRole('heading', { level: 1, name: 'Speicher', exact: true }).waitFor();
    await german.page.getByRole('button', { name: 'Testen und speichern', exact: true }).waitFor();
  });
});
