import { randomBytes } from 'node:crypto';
import { ByosaService } from '#modules/storage';
import { type BuildJson, type Developer, type ProjectRef, scope } from '../../support/actors/actors';
import { customerS3, ON_THIS_MACHINE, putByosa } from '../../support/actors/byosa';
import { TestApp } from '../../support/app/test-app';
import { type S3Server } from '../../support/servers/stores/s3-server';

const FILE = { bytes: randomBytes(5_000), fileName: 'Own.dmg' };
const MAC = { platform: 'macos', version: '1.0' };

describe('the trash of an organization with its own storage', () => {
  let app: TestApp;
  let ann: Developer;
  let store: S3Server;
  let project: ProjectRef;
  let build: BuildJson;
  beforeAll(async () => {
    app = await TestApp.start({ environment: ON_THIS_MACHINE });
  });
  beforeEach(async () => {
    ann = await app.developer();
    const { proxy, settings } = await customerS3();
    store = proxy;
    const organization = await ann.createsOrganization();
    await ann.changesPlan(organization, 'business');
    project = await ann.createsProject(organization);
    await putByosa(ann, organization, await settings()).expect(200);
    await app.nest.get(ByosaService, { strict: false }).flip(app.systemContext, organization.id, 'byosa');
    build = await ann.uploads(project, FILE, MAC);
  });
  afterEach(() => store.stop());
  afterAll(() => app.stop());

  const deletes = (more = '') => ann.delete(`/builds/${build.id}?${scope(project)}${more}`);
  const downloads = async (): Promise<Buffer> => {
    const { body } = await ann.post(`/builds/${build.id}/download-url?${scope(project)}`, {}).expect(200);
    const response = await fetch(app.url + new URL((body as { url: string }).url).pathname);
    return Buffer.from(await response.arrayBuffer());
  };
  /** The deletions of artifacts that the store executed. */
  const deletions = (): number =>
    store.seen.filter(({ method, path }) => method === 'DELETE' && path.includes('/builds/')).length;
  const rows = async (): Promise<number> => (await app.sql('SELECT FROM build WHERE id = $1', [build.id])).length;
  const waitingDeletions = (): Promise<object[]> =>
    app.sql(`SELECT FROM graphile_worker.jobs WHERE task_identifier = 'storage.delete-blob'`);

  // red when: a build that moves to the trash loses its file, or a permanent deletion leaves it
  it('keeps the file in the own storage until the build is deleted permanently', async () => {
    await deletes().expect(204);
    await app.jobsEnd();
    expect(deletions()).toBe(0);
    await ann.post(`/builds/restore?${scope(project)}`, { ids: [build.id] }).expect(200);
    expect((await downloads()).equals(FILE.bytes)).toBe(true);
    await deletes('&permanently=true').expect(204);
    await app.jobsEnd();
    expect([deletions(), await waitingDeletions()]).toEqual([1, []]);
  });

  // red when: an upload of the same file leaves the earlier one in the store
  it('replaces the stored file by that of an upload that restores the build', async () => {
    await deletes().expect(204);
    expect((await ann.uploads(project, FILE, MAC)).id).toBe(build.id);
    await app.jobsEnd();
    expect(deletions()).toBe(1);
    expect((await downloads()).equals(FILE.bytes)).toBe(true);
  });

  // red when: the sweep waits for the store, or the deletion of a file is not repeated
  it('is swept while the own storage is unreachable, and the file is deleted later', async () => {
    await deletes().expect(204);
    store.fault = () => ({ kind: 'reset' });
    await app.clock.advance({ days: 7, minutes: 1 });
    await app.runsJob('builds.empty-trash');
    expect([await rows(), (await waitingDeletions()).length]).toEqual([0, 1]);
    store.fault = () => undefined;
    await app.sql(`UPDATE graphile_worker._private_jobs SET run_at = now() WHERE attempts > 0`);
    await app.jobsEnd();
    expect(await waitingDeletions()).toEqual([]);
    expect(deletions()).toBeGreaterThan(1);
  });

  // red when: emptying the trash of a project waits for the store
  it('is emptied with its project while the own storage is unreachable', async () => {
    await deletes().expect(204);
    store.fault = () => ({ kind: 'reset' });
    await ann.delete(`/projects/${project.id}?organization_id=${project.organizationId}`).expect(204);
    expect(await rows()).toBe(0);
  });
});
