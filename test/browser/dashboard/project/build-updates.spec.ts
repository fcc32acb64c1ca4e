import { randomUUID } from 'node:crypto';
import { type Locator, type Page } from 'playwright-core';
import supertest from 'supertest';
import {
  type BuildJson,
  type ChannelJson,
  type Developer,
  type ProjectRef,
  scope,
} from '../../../support/actors/actors';
import { apk } from '../../../support/artifacts/valid-artifacts';
import { Desk } from '../desk';

const CAMERA = 'android.permission.CAMERA';

/** The differences of a build from those that testers have, and the update checks of installed apps. */
describe('a build in the dashboard, as an update', () => {
  let desk: Desk;
  let ann: Developer;
  let project: ProjectRef;
  let beta: ChannelJson;
  let build: BuildJson;

  const uploads = (versionCode: number, permissions: readonly string[] = []): Promise<BuildJson> => {
    const bytes = apk({ versionName: `${versionCode}.0`, versionCode, permissions });
    return ann.uploads(project, { bytes, fileName: 'rocket.apk' });
  };
  beforeAll(async () => {
    desk = await Desk.start();
    ann = await desk.app.developer();
    const organization = await ann.createsOrganization('Acme');
    await ann.changesPlan(organization, 'business');
    project = await ann.createsProject(organization, 'Rocket');
    beta = await ann.createsChannel(project, 'Beta');
    for (const [versionCode, channel] of [
      [1, await ann.createsChannel(project, 'Store')],
      [2, beta],
    ] as const) {
      await ann.promotes(project, channel, await uploads(versionCode));
    }
    await ann.promotes(project, await ann.createsChannel(project, 'Nightly'), await uploads(9));
    build = await uploads(3, [CAMERA]);
  });
  afterEach(() => desk.endVisits());
  afterAll(() => desk?.stop());

  const address = (of: BuildJson): string => `/o/${project.organizationId}/p/${project.id}/builds/${of.id}`;
  const region = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });

  // red when: a newer build of another channel is offered, or permissions of lists are compared
  it('is compared with the older builds that testers of channels have', async () => {
    const visit = await desk.open(ann, address(build));
    const { page } = visit;
    const since = region(page, 'Since 2.0 (2)');
    await since.getByText('new permissions: CAMERA').waitFor();
    const choice = page.getByRole('combobox', { name: 'Compare with', exact: true });
    expect(await choice.getByRole('option').allTextContents()).toEqual(['2.0 (2) · Beta', '1.0 (1) · Store']);
    await desk.expectAccessible(visit, 'build-since');
    await choice.selectOption('1.0 (1) · Store');
    await region(page, 'Since 1.0 (1)').getByText('new permissions: CAMERA').waitFor();
    await region(page, 'Since 1.0 (1)').getByRole('link', { name: 'Compare', exact: true }).click();
    await region(page, 'What changes').getByText(`new: ${CAMERA}`).waitFor();
  });

  it('is promoted as a mandatory update by the keyboard, and its installations are counted', async () => {
    const { body } = await ann
      .post(`/update-keys?${scope(project)}&channel_id=${beta.id}`, { platform: 'android' })
      .expect(201);
    const { url } = body as { url: string };
    const visit = await desk.open(ann, `${address(build)}?promote=1&channel=${beta.id}`);
    const { page } = visit;
    const dialog = page.getByRole('dialog', { name: 'Promote 3.0 (3)', exact: true });
    await dialog.getByText(`new: ${CAMERA}`).waitFor();
    await dialog.getByRole('checkbox', { name: 'Mandatory update', exact: true }).press('Space');
    await desk.expectAccessible(visit, 'promote-mandatory');
    await dialog.getByRole('button', { name: 'Promote', exact: true }).press('Enter');
    await dialog.waitFor({ state: 'detached' });
    const check = (query: string) => supertest(url).get(`?${query}`).expect(200);
    expect((await check('version=2.0&build=2')).body).toMatchObject({ update_available: true, mandatory: true });
    for (const id of [randomUUID(), randomUUID()]) await check(`version=3.0&build=3&install_id=${id}`);
    await page.reload();
    await region(page, 'Who has it').getByText('Downloads by day', { exact: true }).click();
    await region(page, 'Who has it').getByText('2 installations reported that they run it').waitFor();
    await desk.expectAccessible(visit, 'build-running');
    await desk.go(visit, `/o/${project.organizationId}/p/${project.id}/channels/${beta.id}`);
    await page.getByRole('list', { name: 'Release history' }).getByText('mandatory', { exact: true }).waitFor();
  });

  it('of a desktop platform gets the signature for updaters, in German', async () => {
    const file = { bytes: Buffer.from('Rocket for macOS'), fileName: 'Rocket.zip' };
    const desktop = await ann.uploads(project, file, { platform: 'macos', version: '3.0', build_number: '3' });
    const visit = await desk.open(ann, address(desktop), { language: 'de' });
    const { page } = visit;
    const signing = region(page, 'Signatur und Berechtigungen');
    await signing.locator('summary').press('Enter');
    const field = signing.getByRole('textbox', { name: 'Update-Signatur', exact: true });
    const save = signing.getByRole('button', { name: 'Signatur speichern', exact: true });
    await field.fill('not base64!');
    await save.press('Enter');
    await signing.getByRole('alert').or(signing.locator('[aria-invalid=true]')).first().waitFor();
    expect(visit.problems.splice(0).filter((problem) => !problem.includes('400'))).toEqual([]);
    await field.fill('c2lnbmF0dXJl');
    await save.press('Enter');
    await page.getByText('Die Signatur wurde gespeichert.').waitFor();
    await page.reload();
    expect(await field.inputValue()).toBe('c2lnbmF0dXJl');
    await desk.expectAccessible(visit, 'build-signature-de');
    const { body } = await ann.get(`/builds/${desktop.id}/update-signature?${scope(project)}`).expect(200);
    expect(body).toEqual({ signature: 'c2lnbmF0dXJl' });
  });
});
