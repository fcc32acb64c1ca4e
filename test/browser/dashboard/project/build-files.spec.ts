import { type Locator, type Page } from 'playwright-core';
import {
  type AttachmentJson,
  type BuildJson,
  type Developer,
  type ProjectRef,
  scope,
} from '../../../support/actors/actors';
import { Desk } from '../desk';

const ZIP = { name: 'Demo-arm64-mac.zip', mimeType: 'application/zip', buffer: Buffer.from('PKthe app') };

/** The files beside the artifact of a build. */
describe('the other files of a build in the dashboard', () => {
  let desk: Desk;
  let ann: Developer;
  let project: ProjectRef;
  let build: BuildJson;
  beforeAll(async () => {
    desk = await Desk.start();
    ann = await desk.app.developer();
    project = await ann.createsProject(await ann.createsOrganization('Acme'), 'Rocket');
    const dmg = { bytes: Buffer.from('the disk image'), fileName: 'Demo.dmg' };
    build = await ann.uploads(project, dmg, { platform: 'macos', version: '1.0.0' });
  });
  afterEach(() => desk.endVisits());
  afterAll(() => desk?.stop());

  const address = (): string => `/o/${project.organizationId}/p/${project.id}/builds/${build.id}`;
  const files = (page: Page, name = 'Other files'): Locator => page.getByRole('region', { name, exact: true });
  const listed = async (): Promise<AttachmentJson[]> =>
    (
      (await ann.get(`/builds/${build.id}/attachments?${scope(project)}`).expect(200)).body as {
        items: AttachmentJson[];
      }
    ).items;

  it('are added, downloaded and deleted', async () => {
    const visit = await desk.open(ann, address());
    const { page } = visit;
    await files(page).getByText('No other files.').waitFor();
    await files(page).locator('input[type=file]').setInputFiles(ZIP);
    await files(page).getByText(ZIP.name, { exact: true }).waitFor();
    await files(page).getByText('for updaters', { exact: true }).waitFor();
    expect(await listed()).toMatchObject([{ kind: 'update', arch: 'arm64' }]);
    await desk.expectAccessible(visit, 'build-files');

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      files(page)
        .getByRole('button', { name: `Download ${ZIP.name}`, exact: true })
        .press('Enter'),
    ]);
    expect(download.suggestedFilename()).toBe(ZIP.name);

    await files(page)
      .getByRole('button', { name: `Delete ${ZIP.name}`, exact: true })
      .press('Enter');
    await page.getByRole('button', { name: 'Delete file', exact: true }).press('Enter');
    await files(page).getByText('No other files.').waitFor();
    expect(await listed()).toEqual([]);
  });

  it('show why a file is rejected, in German', async () => {
    const visit = await desk.open(ann, address(), { language: 'de' });
    const { page } = visit;
    await files(page, 'Weitere Dateien')
      .locator('input[type=file]')
      .setInputFiles({ ...ZIP, buffer: Buffer.from('no zip') });
    await page.getByText('The file is not a zip archive.').first().waitFor();
    expect(visit.problems.splice(0)).toEqual([expect.stringContaining('status of 400')]);
    expect(await listed()).toEqual([]);
  });
});
