import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import {
  type AttachmentJson,
  type BuildJson,
  type Developer,
  type ProjectRef,
  scope,
  type UploadFile,
} from '../../../support/actors/actors';
import { ResumableClient } from '../../../support/actors/resumable-client';
import { verifiedDeveloper } from '../../../support/actors/tenant';
import { TestApp } from '../../../support/app/test-app';
import { faultsOf } from '../../../support/checks/billing-consistency';
import { uploadLeftovers } from '../../../support/checks/upload-leftovers';

const DMG = { bytes: Buffer.from('the disk image'), fileName: 'Demo.dmg' };
const MAC = { platform: 'macos', version: '1.0.0' };
const zipped = (fileName = 'Demo-mac.zip', text = 'the app'): UploadFile => ({
  bytes: Buffer.from(`PK${text}`),
  fileName,
});
const digest = (name: string, bytes: Buffer): string => createHash(name).update(bytes).digest('hex');
const elf = (machine: number): Buffer => {
  const head = Buffer.alloc(64);
  head.write('\x7fELF', 'latin1');
  head.writeUInt16LE(machine, 18);
  return head;
};

describe('attachments of builds', () => {
  let app: TestApp;
  let ann: Developer;
  let project: ProjectRef;
  let build: BuildJson;
  beforeAll(async () => {
    app = await TestApp.start();
  });
  beforeEach(async () => {
    ann = await verifiedDeveloper(app);
    project = await ann.createsProject(await ann.createsOrganization());
    build = await ann.uploads(project, DMG, MAC);
  });
  afterEach(async () => expect(await faultsOf(app)).toEqual([]));
  afterAll(() => app.stop());

  const list = async (): Promise<AttachmentJson[]> =>
    (
      (await ann.get(`/builds/${build.id}/attachments?${scope(project)}`).expect(200)).body as {
        items: AttachmentJson[];
      }
    ).items;
  const path = ({ id }: { id: string }, rest = ''): string =>
    `/builds/${build.id}/attachments/${id}${rest}?${scope(project)}`;
  const stored = async (): Promise<number> => (await readdir(join(app.dataDirectory, 'artifacts/builds'))).length;
  const metered = async (): Promise<string[]> =>
    (
      await app.sql<{ id: string }>(
        'SELECT build_id AS id FROM storage_interval WHERE organization_id = $1 AND ended_at IS NULL',
        [project.organizationId],
      )
    ).map(({ id }) => id);
  const usage = async () =>
    (await ann.get(`/organizations/${project.organizationId}/usage`).expect(200)).body as Record<string, number>;
  const follow = async (attachment: { id: string }, headers: Record<string, string> = {}): Promise<Response> => {
    const { headers: found } = await ann.get(path(attachment, '/download')).redirects(0).expect(302);
    return fetch(app.url + new URL(found['location']!).pathname, { headers });
  };

  // red when: a field is read from the wrong place, or the file is not stored as it was sent
  it('are listed with what was sent and hashed, and downloaded as they were sent, also in ranges', async () => {
    const file = zipped('Demo-1.0.0-arm64-mac.zip');
    const attachment = await ann.attaches(project, build, file, { kind: 'update', signature: 'QUJD' });
    expect(attachment).toEqual({
      id: attachment.id,
      build_id: build.id,
      kind: 'update',
      arch: 'arm64',
      file_name: file.fileName,
      size_bytes: file.bytes.length,
      sha256: digest('sha256', file.bytes),
      sha512: digest('sha512', file.bytes),
      signature: 'QUJD',
      created_at: attachment.created_at,
    });
    expect(await list()).toEqual([attachment]);
    expect(Buffer.from(await (await follow(attachment)).arrayBuffer())).toEqual(file.bytes);
    const part = await follow(attachment, { Range: 'bytes=2-4' });
    expect([part.status, await part.text()]).toEqual([206, 'the']);
    const parts = await follow(attachment, { Range: 'bytes=0-1, 2-4' });
    expect(parts.status).toBe(206);
    expect(parts.headers.get('content-type')).toMatch(/^multipart\/byteranges; boundary=/);
    const head = await ann.request('head', path(attachment, '/download')).expect(200);
    expect(head.headers['content-length']).toBe(String(file.bytes.length));
    // The artifact is still what the build has.
    const { url } = (await ann.post(`/builds/${build.id}/download-url?${scope(project)}`).expect(200)).body as {
      url: string;
    };
    expect(await (await fetch(app.url + new URL(url).pathname)).text()).toBe(DMG.bytes.toString());
  });

  // red when: the meters leave attachments out, or count them twice
  it('are metered like artifacts: storage, upload and download', async () => {
    const before = await usage();
    const file = { bytes: Buffer.concat([Buffer.from('PK'), randomBytes(1_999_998)]), fileName: 'a.zip' };
    const attachment = await ann.attaches(project, build, file, { kind: 'update' });
    expect((await metered()).sort()).toEqual([build.id, attachment.id].sort());
    await (await follow(attachment)).arrayBuffer();
    expect((await usage())['upload_mb']).toBe(before['upload_mb']! + 2);
    expect((await usage())['download_mb']).toBe(before['download_mb']! + 2);
    await ann.delete(path(attachment)).expect(204);
    expect(await metered()).toEqual([build.id]);
  });

  // red when: a download of a file about the app counts as a download of the app
  it('count as downloads of the build when they are packages, and not when they are files about it', async () => {
    const total = async (): Promise<number> =>
      (
        (await ann.get(`/builds/${build.id}?${scope(project)}`).expect(200)).body as {
          downloads: { total: number };
        }
      ).downloads.total;
    const symbols = await ann.attaches(
      project,
      build,
      { bytes: Buffer.from('a'), fileName: 'a.txt' },
      { kind: 'other' },
    );
    await (await follow(symbols)).text();
    expect(await total()).toBe(0);
    const update = await ann.attaches(project, build, zipped(), { kind: 'update' });
    await (await follow(update)).text();
    expect(await total()).toBe(1);
  });

  // red when: the bytes or the meter of an attachment outlive its build
  it('are deleted with their build, with bytes, meters and download URLs', async () => {
    const before = await stored();
    const attachment = await ann.attaches(project, build, zipped(), { kind: 'update' });
    await ann.attaches(project, build, zipped('b.zip'), { kind: 'update' });
    const { headers } = await ann.get(path(attachment, '/download')).redirects(0).expect(302);
    await ann.delete(`/builds/${build.id}?${scope(project)}&permanently=true`).expect(204);
    await app.runsJob('builds.sweep-uploads');
    expect(await stored()).toBe(before - 1);
    expect(await metered()).toEqual([]);
    expect((await fetch(app.url + new URL(headers['location']!).pathname)).status).toBe(404);
    expect(await app.sql('SELECT id FROM attachment WHERE project_id = $1', [project.id])).toEqual([]);
  });

  // red when: the foreign key deletes the row, so that nothing knows the bytes and the meter
  it('are swept when a process of the previous release deletes only the build', async () => {
    const before = await stored();
    await ann.attaches(project, build, zipped(), { kind: 'update' });
    await app.sql('DELETE FROM stored_build WHERE build_id = $1', [build.id]);
    await app.sql('UPDATE storage_interval SET ended_at = started_at WHERE build_id = $1', [build.id]);
    await app.sql('DELETE FROM build WHERE id = $1', [build.id]);
    await app.runsJob('builds.sweep-attachments');
    expect(await stored()).toBe(before);
    expect(await metered()).toEqual([]);
  });

  it('are deleted one by one, while the build and its other files stay', async () => {
    const first = await ann.attaches(project, build, zipped(), { kind: 'update' });
    const second = await ann.attaches(project, build, zipped('b.zip'), { kind: 'update' });
    const { headers } = await ann.get(path(first, '/download')).redirects(0).expect(302);
    await ann.delete(path(first)).expect(204);
    await ann.delete(path(first)).expect(404);
    expect((await fetch(app.url + new URL(headers['location']!).pathname)).status).toBe(404);
    expect((await list()).map(({ id }) => id)).toEqual([second.id]);
    await ann.attaches(project, build, zipped(), { kind: 'update' });
  });

  // red when: the content is not checked, or a rejected file leaves bytes, an upload or a reservation behind
  it.each<[string, UploadFile, Record<string, string>, string]>([
    ['a .zip that is none', { bytes: Buffer.from('no'), fileName: 'a.zip' }, { kind: 'update' }, 'wrong_type'],
    ['an empty file', { bytes: Buffer.alloc(0), fileName: 'a.txt' }, { kind: 'other' }, 'empty_file'],
    [
      'a block map that is none',
      { bytes: Buffer.from('{}'), fileName: 'a.blockmap' },
      { kind: 'blockmap' },
      'wrong_type',
    ],
    ['a block map of another name', { bytes: gzipSync('{}'), fileName: 'a.gz' }, { kind: 'blockmap' }, 'wrong_type'],
    [
      'a block map that is too large',
      { bytes: Buffer.concat([gzipSync('{}'), Buffer.alloc(4 * 1024 * 1024)]), fileName: 'a.blockmap' },
      { kind: 'blockmap' },
      'blockmap_too_large',
    ],
    [
      'another architecture',
      { bytes: elf(183), fileName: 'a.AppImage' },
      { kind: 'update', arch: 'x64' },
      'arch_mismatch',
    ],
    ['another hash', zipped(), { kind: 'update', sha256: '0'.repeat(64) }, 'sha256_mismatch'],
  ])('reject %s', async (_, file, fields, reason) => {
    const before = await uploadLeftovers(app);
    const { body } = await ann.attach(project, build, file, fields).expect(400);
    expect(body).toMatchObject({ error: 'invalid_input', details: { reason } });
    expect(await uploadLeftovers(app)).toEqual(before);
    expect(await list()).toEqual([]);
  });

  it('reject an unknown kind, a missing one, and text that is no signature', async () => {
    const wrong: Record<string, string>[] = [
      {},
      { kind: 'virus' },
      { kind: 'update', arch: 'mips' },
      { kind: 'update', signature: '"/>' },
    ];
    for (const fields of wrong) await ann.attach(project, build, zipped(), fields).expect(400);
  });

  it.each([
    [62, 'x64'],
    [183, 'arm64'],
    [3, 'ia32'],
    [8, null],
  ])('read the architecture of ELF machine %d as %s', async (machine, arch) => {
    const file = { bytes: elf(machine), fileName: 'Demo.AppImage' };
    expect(await ann.attaches(project, build, file, { kind: 'update' })).toMatchObject({ arch });
  });

  // red when: two files of a build may have one name, so that an address would name both
  it('have each name once in a build, the name of the artifact included', async () => {
    await ann.attaches(project, build, zipped(), { kind: 'update' });
    await ann.attach(project, build, zipped(), { kind: 'update' }).expect(409);
    await ann.attach(project, build, { ...zipped(), fileName: DMG.fileName }, { kind: 'other' }).expect(409);
    const results = await Promise.all(
      Array.from({ length: 6 }, () => ann.attach(project, build, zipped('same.zip'), { kind: 'update' })),
    );
    expect(results.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
  });

  // red when: parallel uploads are counted before the others are inserted
  it('are at most twenty, also when they are sent in parallel', async () => {
    for (let n = 0; n < 18; n += 1) await ann.attaches(project, build, zipped(`${n}.zip`), { kind: 'update' });
    const statuses = await Promise.all(
      [18, 19, 20, 21].map(
        async (n) => (await ann.attach(project, build, zipped(`${n}.zip`), { kind: 'update' })).status,
      ),
    );
    expect(statuses.sort()).toEqual([201, 201, 400, 400]);
    const { body } = await ann.attach(project, build, zipped('last.zip'), { kind: 'update' }).expect(400);
    expect(body).toMatchObject({
      error: 'quota_exceeded',
      details: { quota: 'attachments_per_build', limit: 20 },
    });
  });

  it('are added once for an idempotency key', async () => {
    const key = randomUUID();
    const send = () => ann.attach(project, build, zipped(), { kind: 'update' }).set('Idempotency-Key', key);
    const { body } = await send().expect(201);
    expect((await send().expect(201)).body).toEqual(body);
    expect(await list()).toHaveLength(1);
  });

  // red when: a project can name the build of another, or a role is not required
  it('belong to the build of the project, and need the roles of uploads and downloads', async () => {
    const attachment = await ann.attaches(project, build, zipped(), { kind: 'update' });
    const other = await ann.createsProject({ id: project.organizationId });
    await ann.attach(other, build, zipped('b.zip'), { kind: 'update' }).expect(404);
    await ann.get(`/builds/${build.id}/attachments?${scope(other)}`).expect(404);
    const foreign = `/builds/${build.id}/attachments/${attachment.id}`;
    await ann.get(`${foreign}/download?${scope(other)}`).expect(404);
    await ann.delete(`${foreign}?${scope(other)}`).expect(404);
    const second = await ann.uploads(project, { ...DMG, fileName: 'c.dmg' }, MAC);
    await ann.delete(`/builds/${second.id}/attachments/${attachment.id}?${scope(project)}`).expect(404);
    await ann.get(`/builds/${second.id}/attachments/${attachment.id}/download?${scope(project)}`).expect(404);
    const viewer = app.ci(await ann.createsToken(project, 'VIEW_PROJECT'));
    await viewer.get(`/builds/${build.id}/attachments?${scope(project)}`).expect(200);
    await viewer.get(path(attachment, '/download')).expect(403);
    await viewer.delete(path(attachment)).expect(403);
    await viewer.attach(project, build, zipped('b.zip'), { kind: 'update' }).expect(403);
  });

  it('are in the audit feed', async () => {
    const attachment = await ann.attaches(project, build, zipped(), { kind: 'update' });
    await ann.delete(path(attachment)).expect(204);
    const events = await app.sql<{ type: string; payload: object }>(
      `SELECT type, payload FROM audit_event WHERE project_id = $1 AND type LIKE 'attachment.%' ORDER BY id`,
      [project.id],
    );
    const payload = {
      attachment_id: attachment.id,
      build_id: build.id,
      kind: 'update',
      file_name: 'Demo-mac.zip',
      size_bytes: attachment.size_bytes,
    };
    expect(events).toEqual([
      { type: 'attachment.created', payload },
      { type: 'attachment.deleted', payload },
    ]);
  });

  describe('in parts', () => {
    const starts = (file = zipped(), fields: Record<string, string> = { kind: 'update' }): Promise<ResumableClient> =>
      ResumableClient.start(ann, project, file, { build_id: build.id, ...fields });

    // red when: the completion makes a build, or a repeated one adds the file again
    it('are added by the completion, which responds with the build, also when it is repeated', async () => {
      const upload = await starts(zipped('Demo-x64-mac.zip'));
      await upload.sendAll();
      const completed = await upload.completes();
      const [attachment] = await list();
      expect(completed).toMatchObject({ id: build.id, attachment_id: attachment!.id });
      expect(attachment).toMatchObject({ kind: 'update', arch: 'x64', file_name: 'Demo-x64-mac.zip' });
      expect(await upload.completes()).toMatchObject({ id: build.id, attachment_id: attachment!.id });
      expect(await list()).toHaveLength(1);
      expect((await metered()).sort()).toEqual([build.id, attachment!.id].sort());
      expect(await app.sql('SELECT id FROM build WHERE project_id = $1', [project.id])).toHaveLength(1);
    });

    it('end with a rejected file', async () => {
      const upload = await starts({ bytes: Buffer.from('no'), fileName: 'a.zip' });
      await upload.sendAll();
      expect((await upload.complete().expect(400)).body).toMatchObject({ details: { reason: 'wrong_type' } });
      await upload.complete().expect(404);
      expect(await list()).toEqual([]);
    });

    it('need a build of the project and a kind, and are no build without them', async () => {
      const announced = { file_name: 'a.zip', size_bytes: 10 };
      const start = (fields: object) => ann.post(`/builds/uploads?${scope(project)}`, { ...announced, ...fields });
      await start({ build_id: build.id }).expect(400);
      await start({ kind: 'update', ...MAC }).expect(400);
      await start({ arch: 'x64', ...MAC }).expect(400);
      await start({ build_id: project.id, kind: 'update' }).expect(404);
    });

    it('are rejected when the build was deleted in the meantime', async () => {
      const upload = await starts();
      await upload.sendAll();
      await ann.delete(`/builds/${build.id}?${scope(project)}&permanently=true`).expect(204);
      await upload.complete().expect(404);
    });
  });
});
