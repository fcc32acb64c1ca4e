import { randomBytes } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { Pool } from 'pg';
import {
  Bearer,
  type BuildJson,
  type ChannelJson,
  Developer,
  type OrganizationRef,
  type ProjectRef,
  scope,
} from '../../support/actors/actors';
import {
  afterSnapshot,
  commands,
  contentOf,
  copyKeys,
  downloaded,
  type EmptyPlace,
  emptyPlace,
  refuses,
  sha256,
  triggersOf,
} from '../../support/actors/backup-fixture';
import { ResumableClient } from '../../support/actors/resumable-client';
import { TestApp } from '../../support/app/test-app';
import { apk, ipa } from '../../support/artifacts/valid-artifacts';
import { operator, startOperator } from '../../support/processes/operator-console';
import { ServerProcess } from '../../support/processes/server-process';
import { onS3 } from '../../support/servers/stores/cloud-places';
import { until } from '../../support/until';

jest.setTimeout(240_000);

const MAC = { platform: 'macos', version: '1.0' };

describe('a backup', () => {
  let app: TestApp;
  let ann: Developer;
  let organization: OrganizationRef;
  let project: ProjectRef;
  let channel: ChannelJson;
  let folder: string;
  const builds: BuildJson[] = [];
  const places: EmptyPlace[] = [];

  beforeAll(async () => {
    app = await TestApp.start();
    folder = join(tmpdir(), `agate-backup-${randomBytes(5).toString('hex')}`);
    ann = await app.developer();
    organization = await ann.createsOrganization();
    await ann.changesPlan(organization, 'business');
    project = await ann.createsProject(organization);
    channel = await ann.createsChannel(project);
    builds.push(await ann.uploads(project, { bytes: ipa(), fileName: 'Demo.ipa' }));
    builds.push(await ann.uploads(project, { bytes: apk(), fileName: 'demo.apk' }));
    for (const build of builds) await ann.promotes(project, channel, build, 'For the testers');
    for (let count = 0; count < 20; count++) builds.push(await uploads());
    await ann.post(`/testers?${scope(project)}`, { email: 'tina@example.com' }).expect(201);
  });
  afterAll(async () => {
    for (const place of places) await place.remove();
    await rm(folder, { recursive: true, force: true });
    await app.stop();
  });

  const place = async (options = {}): Promise<EmptyPlace> => {
    const made = await emptyPlace(options);
    places.push(made);
    return made;
  };
  const uploads = (): Promise<BuildJson> =>
    ann.uploads(project, { bytes: randomBytes(20_000 + builds.length), fileName: 'App.dmg' }, MAC);
  const blobs = (where: string): Promise<string[]> => readdir(join(where, 'artifacts/builds')).catch(() => []);
  const deletionsDone = async (): Promise<void> => {
    const waiting = `SELECT FROM graphile_worker.jobs WHERE task_identifier = 'storage.delete-blob' AND run_at <= now()`;
    await until(async () => (await app.sql(waiting)).length === 0);
  };

  // red when: deleteNow does not check for a running backup (the restored builds have no artifact)
  it('restores every build of its snapshot, although builds were deleted and uploaded while it ran', async () => {
    const kept = builds.slice();
    const running = startOperator(app, ['backup', 'create', folder, '--yes', '--json']);
    // After the snapshot and before the first copy, ten builds without a release are deleted and ten are uploaded.
    const deleted: BuildJson[] = [];
    const uploaded: BuildJson[] = [];
    await afterSnapshot(app.database, async () => {
      for (const build of builds.splice(2, 10)) {
        await ann.delete(`/builds/${build.id}?${scope(project)}&permanently=true`).expect(204);
        deleted.push(build);
        uploaded.push(await uploads());
      }
      await deletionsDone();
    });
    builds.push(...uploaded);
    const { status, out, err } = await running.done;
    expect([status, err]).toEqual([0, '']);
    expect(JSON.parse(out)).toMatchObject({ artifacts: kept.length, copied: kept.length, kept: 0, faults: [] });

    const elsewhere = await place({ embedded: true });
    expect(await refuses(elsewhere, 'backup', 'restore', folder, '--yes')).toContain('MASTER_KEYS');
    await copyKeys(app, elsewhere);
    const restored = await commands<{ checks: object[] }>(elsewhere, ['backup', 'restore', folder, '--yes']);
    expect(restored).toMatchObject({ copied: kept.length });
    expect(restored.checks).toEqual(
      ['money', 'audit', 'artifacts'].map((check) => ({ check, status: 'passed', faults: [] })),
    );

    const server = await ServerProcess.start(elsewhere);
    try {
      const restoredAnn = await Developer.logIn(server.url, ann.email, ann.password);
      for (const build of kept) expect(await downloaded(restoredAnn, project, build)).toBe(build.sha256);
      for (const url of [kept[0]!.install_url, kept[1]!.install_url, channel.install_url]) {
        expect((await fetch(server.url + new URL(url).pathname)).status).toBe(200);
      }
      // The restored service works: a build that was deleted after the snapshot can be deleted again.
      await restoredAnn.delete(`/builds/${deleted[0]!.id}?${scope(project)}&permanently=true`).expect(204);
      await restoredAnn.uploads(project, { bytes: randomBytes(1000), fileName: 'App.dmg' }, MAC);
      const checks = await commands<{ status: string }[]>(elsewhere, ['check']);
      expect(checks.map(({ status: passed }) => passed)).toEqual(['passed', 'passed', 'passed']);
      const { body } = await restoredAnn.get(`/audit/organization/${organization.id}`).expect(200);
      expect((body as { events: object[] }).events.length).toBeGreaterThan(kept.length);
    } finally {
      await server.stop();
    }

    // The deletions that waited for the backup run afterwards.
    await app.sql(`UPDATE graphile_worker._private_jobs SET run_at = now()`);
    await until(async () => (await blobs(app.dataDirectory)).length <= builds.length);
    const events = await app.sql(`SELECT actor_kind FROM audit_event WHERE type = 'backup.created'`);
    expect(events).toEqual([{ actor_kind: 'operator' }]);
  });

  it('copies only new artifacts when it is repeated, and deletes those that are no longer needed', async () => {
    const result = await commands(app, ['backup', 'create', folder, '--yes']);
    expect(result).toMatchObject({ artifacts: builds.length, copied: 10, kept: builds.length - 10 });
    expect((await blobs(folder)).length).toBe(builds.length);
    expect(await readdir(join(folder, 'database'))).toEqual([result['backup_id']]);
  });

  // red when: triggers run while rows are loaded (the hashes of the chain differ), or stay disabled
  it('restores every row into an empty database, and rejects a database that is not empty', async () => {
    const elsewhere = await place();
    await copyKeys(app, elsewhere);
    await commands(app, ['backup', 'create', folder, '--yes']);
    // A restore records the store that it copied the artifacts into.
    const except = ['audit_event', 'audit_chain', 'account_flag', 'refresh_token', 'hosted_store', 'clock_mark'];
    const before = await contentOf(app.database, except);
    await commands(elsewhere, ['backup', 'restore', folder, '--yes']);
    expect(await contentOf(elsewhere.database!, except)).toEqual(before);
    expect(await triggersOf(elsewhere.database!)).toEqual(await triggersOf(app.database));
    // A repeated restore finds that everything is restored.
    expect(await commands(elsewhere, ['backup', 'restore', folder, '--yes'])).toMatchObject({ copied: 0 });
    expect(await refuses(app, 'backup', 'restore', folder, '--dry-run')).toContain('not empty');
  });

  // red when: the rows are restored, and nobody can ever complete these uploads
  it('restores no open upload, and releases what they reserved', async () => {
    const file = { bytes: randomBytes(1000), fileName: 'Open.dmg' };
    const [open, complete] = [
      await ResumableClient.start(ann, project, file, MAC),
      await ResumableClient.start(ann, project, { ...file, bytes: randomBytes(2000) }, MAC),
    ];
    await open.send(1);
    await app.runsJob('builds.measure-open-uploads');
    await complete.sendAll();
    builds.push(await complete.completes());
    const elsewhere = await place();
    await copyKeys(app, elsewhere);
    await commands(app, ['backup', 'create', folder, '--yes']);
    const { checks } = await commands<{ checks: { status: string }[] }>(elsewhere, [
      'backup',
      'restore',
      folder,
      '--yes',
    ]);
    expect(checks.filter(({ status }) => status !== 'passed')).toEqual([]);

    const database = new Pool({ connectionString: elsewhere.database!.ownerUrl });
    const { rows } = await database.query<{ state: string }>('SELECT state FROM reservation WHERE size_bytes = 1000');
    await database.end();
    expect(rows).toEqual([{ state: 'released' }]);
    const server = await ServerProcess.start(elsewhere);
    try {
      const beside = new Bearer(server.url, ann.token);
      await beside.get(open.path()).expect(404);
      await beside.post(open.path('/part-urls'), { part_numbers: [1] }).expect(404);
      await beside.get(complete.path()).expect(200);
    } finally {
      await server.kill();
    }
    await open.drop().expect(204);
  });

  it('continues after it or its restore was killed', async () => {
    const other = `${folder}-killed`;
    for (let kills = 0; ; kills++) {
      const run = startOperator(app, ['backup', 'create', other, '--yes', '--json']);
      if (kills === 3) {
        expect((await run.done).status).toBe(0);
        break;
      }
      await until(async () => (await blobs(other)).length >= 6 * kills + 1, { everyMs: 1 });
      run.kill();
      await run.done;
      const elsewhere = await place();
      await copyKeys(app, elsewhere);
      // The process may have been killed after the backup was complete.
      if (!(await readdir(other)).includes('manifest.json')) {
        expect(await refuses(elsewhere, 'backup', 'restore', other, '--yes')).toContain('no complete backup');
      }
    }
    const elsewhere = await place();
    await copyKeys(app, elsewhere);
    for (const enough of [1, 8, 16]) {
      const run = startOperator(elsewhere, ['backup', 'restore', other, '--yes']);
      await until(async () => (await blobs(elsewhere.dataDirectory)).length >= enough, { everyMs: 1 });
      run.kill();
      await run.done;
    }
    const restored = await commands<{ copied: number; kept: number; checks: { status: string }[] }>(elsewhere, [
      'backup',
      'restore',
      other,
      '--yes',
    ]);
    expect(restored.copied + restored.kept).toBe(builds.length);
    // red when: a repeated restore copies all artifacts again
    expect(restored.kept).toBeGreaterThanOrEqual(16);
    expect(restored.checks.filter(({ status }) => status !== 'passed')).toEqual([]);
    await rm(other, { recursive: true });
  });

  // red when: the hashes of the manifest are not compared
  it('is not restored when a file is damaged, and the database stays empty', async () => {
    const elsewhere = await place();
    await copyKeys(app, elsewhere);
    await commands(app, ['backup', 'create', folder, '--yes']);
    const [name = ''] = await blobs(folder);
    for (const file of [join(folder, 'artifacts/builds', name), await databaseFile('public.build.copy.gz')]) {
      const bytes = await readFile(file);
      await writeFile(file, Buffer.from(bytes.map((byte, index) => (index === 20 ? byte ^ 1 : byte))));
      expect(await refuses(elsewhere, 'backup', 'restore', folder, '--yes')).toContain('damaged');
      await writeFile(file, bytes);
    }
    await commands(elsewhere, ['backup', 'restore', folder, '--yes']);
  });

  describe('that somebody without the keys edited', () => {
    type Editable = Record<string, unknown> & {
      database: { tables: { name: string; file: string; sha256: string; sizeBytes: number; rows: number }[] };
      faults: object[];
    };
    const manifestFile = (): string => join(folder, 'manifest.json');
    const edited = async (change: (manifest: Editable) => void): Promise<void> => {
      const manifest = JSON.parse(await readFile(manifestFile(), 'utf8')) as Editable;
      change(manifest);
      await writeFile(manifestFile(), JSON.stringify(manifest, null, 2));
    };
    /** Replaces the digest of a token in the rows, and the digest of the file in the manifest. */
    const withForgedToken = async (): Promise<void> => {
      const path = await databaseFile('public.personal_access_token.copy.gz');
      const rows = gunzipSync(await readFile(path)).toString();
      const forged = gzipSync(rows.replace(/\\\\x[0-9a-f]{64}/, `\\\\x${'ab'.repeat(32)}`));
      expect(gunzipSync(forged).toString()).not.toBe(rows);
      await writeFile(path, forged);
      await edited(({ database: { tables } }) => {
        const table = tables.find(({ name }) => name === 'personal_access_token')!;
        Object.assign(table, { sha256: sha256(forged), sizeBytes: forged.length });
      });
    };
    let elsewhere: EmptyPlace;
    let whole: string;

    beforeAll(async () => {
      await ann.post(`/pats?organization_id=${organization.id}`, { name: 'CI', scopes: ['builds:read'] }).expect(201);
      elsewhere = await place();
      await copyKeys(app, elsewhere);
      await commands(app, ['backup', 'create', folder, '--yes']);
      whole = `${folder}-whole`;
      await cp(folder, whole, { recursive: true });
    });
    beforeEach(async () => {
      await rm(folder, { recursive: true });
      await cp(whole, folder, { recursive: true });
    });
    afterAll(() => rm(whole, { recursive: true, force: true }));

    // red when: the manifest is not authenticated, or a part that a restore reads is outside its digest
    it.each<[string, () => Promise<void>]>([
      ['a token was replaced and the digests were recomputed', withForgedToken],
      ['a table was removed', () => edited(({ database }) => void database.tables.pop())],
      [
        'artifacts were declared missing',
        () => edited(({ faults }) => void faults.push({ key: 'k', reason: 'missing' })),
      ],
      ['the order of the tables was changed', () => edited(({ database }) => void database.tables.reverse())],
      [
        'the authentication was made by somebody else',
        () => edited((manifest) => (manifest['authentication'] = 'AQJrMQ==')),
      ],
    ])('is not restored when %s', async (_, change) => {
      await change();
      const because = 'was changed after the backup was made';
      expect(await refuses(elsewhere, 'backup', 'restore', folder, '--yes')).toContain(because);
      expect(await refuses(elsewhere, 'backup', 'restore', folder, '--unauthenticated', '--yes')).toContain(because);
    });

    // red when: names of the manifest may lead out of the folder
    it('is not restored when a file is outside the folder', async () => {
      await edited((manifest) => {
        delete manifest['authentication'];
        manifest.database.tables[0]!.file = '../../../../etc/hostname';
      });
      expect(await refuses(elsewhere, 'backup', 'restore', folder, '--unauthenticated', '--yes')).toContain('damaged');
    });

    it('is not restored with a file of an earlier backup of the same installation', async () => {
      const earlier = await readFile(await databaseFile('public.audit_event.copy.gz'));
      await commands(app, ['backup', 'create', folder, '--yes']);
      await writeFile(await databaseFile('public.audit_event.copy.gz'), earlier);
      expect(await refuses(elsewhere, 'backup', 'restore', folder, '--yes')).toContain('is damaged');
    });

    it('is restored without authentication only with --unauthenticated, which is told before and after', async () => {
      await withForgedToken();
      await edited((manifest) => delete manifest['authentication']);
      expect(await refuses(elsewhere, 'backup', 'restore', folder, '--yes')).toContain('--unauthenticated');
      const restore = ['backup', 'restore', folder, '--unauthenticated'];
      const dryRun = await operator(elsewhere, ...restore, '--dry-run');
      expect(dryRun.out + dryRun.err).toContain('It is not authenticated');
      expect(await commands(elsewhere, [...restore, '--yes'])).toMatchObject({ authenticated: false });
    });

    it('is restored with a key that is no longer the first master key', async () => {
      const rotated = await place();
      await copyKeys(app, rotated);
      const former = (await readFile(join(rotated.dataDirectory, 'keys/master-keys'), 'utf8')).trim();
      const keys = `new:${randomBytes(32).toString('base64')},${former}`;
      const restored = await commands(rotated, ['backup', 'restore', folder, '--yes'], { MASTER_KEYS: keys });
      expect(restored).toMatchObject({ authenticated: true });
    });
  });

  it('names the builds with a missing artifact, and contains the others', async () => {
    const [lost] = await app.sql<{ id: string; blob_key: string }>(
      'SELECT id, blob_key FROM build ORDER BY id DESC LIMIT 1',
    );
    const path = join(app.dataDirectory, 'artifacts', `${lost!.blob_key}.blob`);
    const bytes = await readFile(path);
    await rm(path);
    const run = await operator(app, 'backup', 'create', `${folder}-faulty`, '--yes', '--json');
    await writeFile(path, bytes);
    expect(run.status).toBe(1);
    expect(JSON.parse(run.out)).toMatchObject({ faults: [{ build_id: lost!.id, reason: 'missing' }] });
    const elsewhere = await place();
    await copyKeys(app, elsewhere);
    const restored = await operator(elsewhere, 'backup', 'restore', `${folder}-faulty`, '--yes', '--json');
    expect(restored.status).toBe(1);
    expect(JSON.parse(restored.out)).toMatchObject({
      checks: [{ status: 'passed' }, { status: 'passed' }, { check: 'artifacts', status: 'failed' }],
    });
    await rm(`${folder}-faulty`, { recursive: true });
  });

  it('rejects a folder with other files', async () => {
    expect(await refuses(app, 'backup', 'create', app.dataDirectory, '--yes')).toContain('other files');
  });

  // red when: a link in the folder leads a backup to write into another folder, and to delete everything in it
  it.each(['artifacts', 'database', 'manifest.json.draft'])('rejects a folder in which %s is a link', async (name) => {
    const [linked, other] = [`${folder}-linked`, `${folder}-other`];
    try {
      for (const each of [linked, other]) await mkdir(each);
      await writeFile(join(other, 'precious.blob'), 'mine');
      await symlink(name.endsWith('.draft') ? join(other, 'precious.blob') : other, join(linked, name));
      expect(await refuses(app, 'backup', 'create', linked, '--yes')).toContain(`a symbolic link (${name})`);
      expect(await readFile(join(other, 'precious.blob'), 'utf8')).toBe('mine');
    } finally {
      for (const each of [linked, other]) await rm(each, { recursive: true, force: true });
    }
  });

  const databaseFile = async (file: string): Promise<string> => {
    const [id = ''] = await readdir(join(folder, 'database'));
    return join(folder, 'database', id, file);
  };
});

describe('a backup of artifacts in S3', () => {
  it('can be restored into another bucket, and into a local store', async () => {
    const [from, to] = [await onS3(), await onS3()];
    const app = await TestApp.start({ environment: from.environment });
    const folder = join(tmpdir(), `agate-backup-${randomBytes(5).toString('hex')}`);
    const places: EmptyPlace[] = [];
    try {
      const ann = await app.developer();
      const project = await ann.createsProject(await ann.createsOrganization());
      const builds = [];
      for (let count = 0; count < 5; count++) {
        builds.push(await ann.uploads(project, { bytes: randomBytes(50_000 + count), fileName: 'App.dmg' }, MAC));
      }
      const backup = ['backup', 'create', folder, '--yes'];
      expect(await commands(app, backup, from.environment)).toMatchObject({ copied: 5, faults: [] });
      for (const environment of [to.environment, {}]) {
        const elsewhere = await emptyPlace();
        places.push(elsewhere);
        await copyKeys(app, elsewhere);
        const restored = await commands(elsewhere, ['backup', 'restore', folder, '--yes'], environment);
        expect(restored).toMatchObject({ copied: 5, kept: 0 });
        const server = await ServerProcess.start(elsewhere, { ...environment, DOWNLOAD_DELIVERY: 'stream' });
        try {
          const restoredAnn = await Developer.logIn(server.url, ann.email, ann.password);
          for (const build of builds) expect(await downloaded(restoredAnn, project, build)).toBe(build.sha256);
        } finally {
          await server.stop();
        }
      }
    } finally {
      for (const place of places) await place.remove();
      await rm(folder, { recursive: true, force: true });
      await app.stop();
      await from.proxy.stop();
      await to.proxy.stop();
    }
  });
});
