import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { S3BlobStore } from '#infra/blob/s3/s3-blob-store';
import { OutgoingAgents } from '#infra/network/outgoing-agents';
import { BuildRelocationService } from '#modules/builds';
import { ByosaService } from '#modules/storage';
import { TrashRepository } from '../../../../src/modules/builds/catalogue/deletion/trash.repository';
import { DownloadsRepository } from '../../../../src/modules/builds/downloads/downloads.repository';
import { InstallLinksRepository } from '../../../../src/modules/install-links/install-links.repository';
import { LinksRepository } from '../../../../src/modules/install-links/links/links.repository';
import { type BuildJson, type Developer, type ProjectRef, scope } from '../../../support/actors/actors';
import { newBucket, ON_THIS_MACHINE, putByosa, s3Settings } from '../../../support/actors/byosa';
import { createsLink } from '../../../support/actors/link-visitor';
import { isWaitingForLock } from '../../../support/app/lock-waiters';
import { TestApp } from '../../../support/app/test-app';
import { until } from '../../../support/until';

jest.setTimeout(120_000);

const MAC = { platform: 'macos', version: '1.0' };

/** Other operations on a build during its deletion. */
describe('the deletion of a build', () => {
  let app: TestApp;
  let ann: Developer;
  let project: ProjectRef;
  let build: BuildJson;
  beforeAll(async () => {
    app = await TestApp.start({ environment: ON_THIS_MACHINE });
  });
  beforeEach(async () => {
    ann = await app.developer();
    const organization = await ann.createsOrganization();
    await ann.changesPlan(organization, 'business');
    project = await ann.createsProject(organization);
    build = await ann.uploads(project, { bytes: randomBytes(10_000), fileName: 'App.dmg' }, MAC);
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => app.stop());

  const deletes = () => ann.delete(`/builds/${build.id}?${scope(project)}&permanently=true`);

  // red when: the blob is read before the row is locked: a relocation may have changed it
  it('deletes the artifact from its new account when it was just relocated', async () => {
    const bucket = await newBucket(app);
    await putByosa(ann, { id: project.organizationId }, { s3: s3Settings(bucket) }).expect(200);
    const account = await app.nest
      .get(ByosaService, { strict: false })
      .flip(app.systemContext, project.organizationId, 'byosa');
    const relocation = app.nest.get(BuildRelocationService, { strict: false });
    const repository = app.nest.get(TrashRepository, { strict: false });
    const original = repository.lock.bind(repository);
    jest.spyOn(repository, 'lock').mockImplementationOnce(async (...build) => {
      const { moved } = await relocation.moveAll(app.systemContext, project.organizationId, account, () => undefined);
      expect(moved).toBe(1);
      return original(...build);
    });
    await deletes().expect(204);
    await app.clock.advance({ hours: 25 });
    await app.runsJob('builds.end-moves');
    await until(
      async () =>
        (await app.sql(`SELECT FROM graphile_worker.jobs j WHERE j.task_identifier = 'storage.delete-blob'`)).length ===
        0,
    );
    const left: string[] = [];
    for await (const { key } of new S3BlobStore(bucket, new OutgoingAgents()).list('')) left.push(key);
    const hosted = await readdir(join(app.dataDirectory, 'artifacts'), { recursive: true });
    expect([left, hosted.filter((name) => name.endsWith('.blob'))]).toEqual([[], []]);
  });

  const isWaiting = (): Promise<boolean> => isWaitingForLock(app);

  /** Starts the deletion inside the method's transaction. Neither runs twice, as it would after a deadlock. */
  const whileIn = async (method: 'insert' | 'logStart', work: () => PromiseLike<unknown>): Promise<void> => {
    const downloads = app.nest.get(DownloadsRepository, { strict: false });
    const original = downloads[method].bind(downloads) as (...args: unknown[]) => Promise<void>;
    let deleting: PromiseLike<unknown> = Promise.resolve();
    const inside = jest.spyOn(downloads, method).mockImplementation(async (...args: unknown[]) => {
      deleting = Promise.resolve(deletes().expect(204));
      await until(isWaiting);
      return original(...args);
    });
    const deletion = jest.spyOn(app.nest.get(TrashRepository, { strict: false }), 'lock');
    await work();
    await deleting;
    expect([inside.mock.calls.length, deletion.mock.calls.length]).toEqual([1, 1]);
    await ann.get(`/builds/${build.id}?${scope(project)}`).expect(404);
  };

  // red when: a download locks its ticket, or the account, before the build
  it('waits for a first download without a deadlock', async () => {
    const { body } = await ann.post(`/builds/${build.id}/download-url?${scope(project)}`).expect(200);
    await whileIn('logStart', async () => {
      const answer = await fetch(app.url + new URL((body as { url: string }).url).pathname);
      expect(answer.status).toBe(200);
      await answer.arrayBuffer();
    });
  });

  // red when: a new link locks the default one before the build, or a build that moves to the trash leaves it open
  it('waits for a new link without a deadlock, and hides it', async () => {
    const links = app.nest.get(LinksRepository, { strict: false });
    const original = links.insert.bind(links);
    let deleting: PromiseLike<unknown> = Promise.resolve();
    const inside = jest.spyOn(links, 'insert').mockImplementation(async (...args) => {
      deleting = Promise.resolve(ann.delete(`/builds/${build.id}?${scope(project)}`).expect(204));
      await until(isWaiting);
      return original(...args);
    });
    const deletion = jest.spyOn(app.nest.get(TrashRepository, { strict: false }), 'lock');
    await createsLink(ann, project, { build_id: build.id });
    await deleting;
    expect([inside.mock.calls.length, deletion.mock.calls.length]).toEqual([1, 1]);
    const open = await app.sql('SELECT FROM invite WHERE build_id = $1 AND deleted_at IS NULL', [build.id]);
    expect(open).toEqual([]);
  });

  // red when: an invitation does not lock its build before it makes the links of the tester
  it('waits for the invitation of a tester, and hides its link', async () => {
    const { body } = await ann.post(`/testers?${scope(project)}`, { email: 'tess@example.com' }).expect(201);
    const links = app.nest.get(InstallLinksRepository, { strict: false });
    const original = links.insertForTesters.bind(links);
    let isDeleted = false;
    let deleting: PromiseLike<unknown> = Promise.resolve();
    jest.spyOn(links, 'insertForTesters').mockImplementationOnce(async (...args) => {
      deleting = ann.delete(`/builds/${build.id}?${scope(project)}`).then(({ status }) => {
        isDeleted = status === 204;
      });
      await until(async () => isDeleted || (await isWaiting()));
      return original(...args);
    });
    const path = `/testers/${(body as { id: string }).id}/invite?${scope(project)}`;
    await ann.post(path, { build_id: build.id }).expect(204);
    await deleting;
    const states = await app.sql(
      'SELECT deleted_at IS NULL AS open, tester_id IS NULL AS own FROM invite WHERE build_id = $1 ORDER BY 2',
      [build.id],
    );
    expect([isDeleted, states]).toEqual([
      true,
      [
        { open: false, own: false },
        { open: false, own: true },
      ],
    ]);
    await ann.post(path, { build_id: build.id }).expect(404);
  });

  it('waits for the minting of a ticket without a deadlock', async () => {
    await whileIn('insert', () => ann.post(`/builds/${build.id}/download-url?${scope(project)}`).expect(200));
  });
});
