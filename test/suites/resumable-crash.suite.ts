import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { Client } from 'pg';
import { Bearer, type BuildJson, type Developer, type ProjectRef } from '../support/actors/actors';
import { ResumableClient } from '../support/actors/resumable-client';
import { lockWaiters } from '../support/app/lock-waiters';
import { TestApp } from '../support/app/test-app';
import { type CrashPlace } from '../support/processes/crash-places';
import { takeFreePort } from '../support/processes/free-port';
import { ServerProcess } from '../support/processes/server-process';
import { until } from '../support/until';

jest.setTimeout(300_000);

const MIB = 1024 * 1024;
const SIZE_BYTES = 64 * MIB + 4_321;
const PARTS = 9;
const SCRIPT = join(__dirname, '../../docs/examples/resumable-upload.mjs');
const SMALL = { bytes: randomBytes(9 * MIB), fileName: 'Demo.dmg' };
const MAC = { platform: 'macos', version: '1.0' };

/** Makes a client freeze itself. A test that stopped it from outside could be too late: a whole upload takes less than a second. */
const freezing = (parts: number): string =>
  `data:text/javascript,${encodeURIComponent(`
    const say = console.error;
    let left = ${parts};
    console.error = (line) => {
      say(line);
      if (/^part /.test(line) && --left === 0) process.kill(process.pid, 'SIGSTOP');
    };`)}`;

/** The example client of the documentation, in a process of its own. It freezes after the given number of parts. */
class ClientProcess {
  readonly lines: string[] = [];
  readonly ended: Promise<number | null>;
  readonly output: Promise<string>;
  private readonly child: ChildProcess;

  constructor(url: string, token: string, file: string, parts = Infinity) {
    const texts = Object.entries(MAC).flatMap(([name, value]) => [`--${name}`, value]);
    this.child = spawn(process.execPath, ['--import', freezing(parts), SCRIPT, file, '--parallel', '2', ...texts], {
      env: { PATH: process.env['PATH'], AGATE: url, TOKEN: token },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.ended = new Promise((resolve) => this.child.once('close', (code) => resolve(code)));
    this.output = text(this.child.stdout!);
    createInterface(this.child.stderr!).on('line', (line) => this.lines.push(line));
  }

  /** The numbers of the parts that the client has sent. */
  get sent(): number[] {
    return this.lines.flatMap((line) => /^part (\d+) of/.exec(line)?.[1] ?? []).map(Number);
  }

  continue(): void {
    this.child.kill('SIGCONT');
  }

  kill(): Promise<number | null> {
    this.child.kill('SIGKILL');
    return this.ended;
  }

  async builds(): Promise<BuildJson> {
    const output = await this.output;
    if ((await this.ended) !== 0) throw new Error(this.lines.join('\n'));
    return JSON.parse(output) as BuildJson;
  }
}

/**
 * Crashes of client and server during resumable uploads. Run with every driver. The application of the test is a second process
 * of the service, which sweeps.
 */
export function describeResumableCrash(name: string, start: () => Promise<CrashPlace>): void {
  describe(`an interrupted resumable upload to ${name}`, () => {
    let place: CrashPlace;
    let app: TestApp;
    let server: ServerProcess;
    const earlier: ServerProcess[] = [];
    let environment: Record<string, string>;
    let ann: Developer;
    let project: ProjectRef;
    let token: string;
    let ci: Bearer;
    let folder: string;

    beforeAll(async () => {
      place = await start();
      app = await TestApp.start({ environment: place.environment });
      const port = await takeFreePort();
      environment = { ...place.environment, ROLE: 'api', PORT: String(port), BASE_URL: `http://127.0.0.1:${port}` };
      server = await ServerProcess.start(app, environment);
      folder = await mkdtemp(join(tmpdir(), 'agate-resumable-'));
    });
    beforeEach(async () => {
      ann = await app.developer();
      project = await ann.createsProject(await ann.createsOrganization());
      token = await ann.createsToken(project, 'MANAGE_PROJECT');
      ci = app.ci(token);
    });
    afterAll(async () => {
      server.signal('SIGCONT');
      await server.kill();
      await app.stop();
      await place.stop();
      await rm(folder, { recursive: true, force: true });
    });

    const rows = async (from: string): Promise<number> =>
      (await app.sql<{ rows: number }>(`SELECT count(*)::int AS rows FROM ${from}`))[0]!.rows;
    const buildsOf = (): Promise<number> => rows(`build WHERE project_id = '${project.id}'`);
    /** The number of whole parts that were stored since the start. */
    const stored = (): number => place.takenParts([...earlier, server]);
    const restarts = async (): Promise<void> => {
      earlier.push(server);
      server = await ServerProcess.start(app, environment);
    };

    /** After a day without use: two sweeps of uploads and one of temporary files. */
    const expectNothingLeftAfterSweeps = async (): Promise<void> => {
      await app.clock.advance({ hours: 25 });
      await app.runsJob('builds.sweep-uploads');
      await app.clock.advance({ minutes: 46 });
      await app.runsJob('builds.sweep-uploads');
      expect(await rows('artifact_upload')).toBe(0);
      await app.runsJob('billing.release-expired');
      expect(await rows(`reservation WHERE state = 'active' AND kind = 'upload'`)).toBe(0);
      await app.clock.advance({ hours: 7 });
      await app.runsJob('storage.sweep-temporary');
      const builds = await app.sql<{ blob_key: string }>('SELECT blob_key FROM build');
      expect(await place.keys(app)).toEqual(builds.map((build) => build.blob_key).sort());
      expect(await place.remains(app)).toEqual([]);
      expect(await rows('graphile_worker.jobs WHERE attempts >= max_attempts')).toBe(0);
    };

    /** Writes a new random file. @returns its path and hash. */
    const file = async (name: string): Promise<{ path: string; sha256: string }> => {
      const bytes = randomBytes(SIZE_BYTES);
      const path = join(folder, name);
      await writeFile(path, bytes);
      return { path, sha256: createHash('sha256').update(bytes).digest('hex') };
    };

    // red when: the client does not request the arrived parts, or a part counts only when all have arrived
    it('continues at 60 % after client and server were killed, without sending an arrived part again', async () => {
      const { path, sha256 } = await file('both.dmg');
      const first = new ClientProcess(server.url, token, path, 5);
      await until(() => first.sent.length >= 5);
      await Promise.all([first.kill(), server.kill()]);
      await restarts();
      const before = stored();
      const second = new ClientProcess(server.url, token, path);
      const build = await second.builds();
      expect(build).toMatchObject({ sha256, size_bytes: SIZE_BYTES });
      expect(first.sent.filter((part) => second.sent.includes(part))).toEqual([]);
      expect(second.sent.length).toBeLessThanOrEqual(PARTS - 5);
      // The server writes the lines of its requests up to 200 ms after the response.
      await until(() => stored() - before >= second.sent.length);
      expect(stored() - before).toBe(second.sent.length);
      expect(await buildsOf()).toBe(1);
      await expect(access(`${path}.agate-upload`)).rejects.toMatchObject({ code: 'ENOENT' });
      await expectNothingLeftAfterSweeps();
    });

    // red when: the client stops at the first broken connection
    it('continues automatically when the server is killed and restarted', async () => {
      const { path, sha256 } = await file('server.dmg');
      const before = stored();
      const client = new ClientProcess(server.url, token, path, 4);
      await until(() => client.sent.length >= 4);
      await server.kill();
      client.continue();
      await restarts();
      expect(await client.builds()).toMatchObject({ sha256 });
      // The client sends two parts in parallel, so at most two are sent again.
      expect(stored() - before).toBeLessThanOrEqual(PARTS + 2);
      await expectNothingLeftAfterSweeps();
    });

    it('through the service continues after the server was killed while a part arrived', async () => {
      const direct = new Bearer(server.url, token);
      const client = await ResumableClient.start(direct, project, SMALL, MAC, 'service');
      expect((await client.send(2)).status).toBe(204);
      const [url] = await client.urls(1);
      const half = new AbortController();
      const body = new ReadableStream({ start: (stream) => stream.enqueue(client.part(1).subarray(0, MIB)) });
      const sending = fetch(url!, { method: 'PUT', body, duplex: 'half', signal: half.signal });
      const lost = sending.then(
        () => 'answered',
        () => 'lost',
      );
      await until(async () => (await client.arrived()).length === 1);
      await server.kill();
      expect(await lost).toBe('lost');
      half.abort();
      await restarts();
      expect(await client.arrived()).toEqual([2]);
      expect((await client.send(1)).status).toBe(204);
      const sha256 = createHash('sha256').update(SMALL.bytes).digest('hex');
      expect(await client.completes()).toMatchObject({ sha256 });
      await expectNothingLeftAfterSweeps();
    });

    it('leaves nothing behind when neither client nor server is restarted', async () => {
      const { path } = await file('gone.dmg');
      const before = stored();
      const client = new ClientProcess(server.url, token, path, 3);
      // A part counts as stored when the server has logged it, which is after the client knows.
      await until(() => client.sent.length >= 3 && stored() - before >= 3);
      await Promise.all([client.kill(), server.kill()]);
      await expectNothingLeftAfterSweeps();
      await restarts();
    });

    describe('whose server is killed during the completion', () => {
      const sent = async (): Promise<ResumableClient> => {
        const client = await ResumableClient.start(ci, project, SMALL, MAC);
        await client.sendAll();
        return client;
      };
      const beginsToComplete = (client: ResumableClient): Promise<Response | null> =>
        fetch(`${server.url}/api/v1${client.path('/complete')}`, {
          method: 'POST',
          headers: { Authorization: `Bearer ${token}` },
        }).catch(() => null);

      const completesAgain = async (client: ResumableClient): Promise<void> => {
        // No part has to be sent again, whether or not the parts were assembled.
        expect(await client.arrived()).toEqual([1, 2]);
        expect(await client.completes()).toMatchObject({ size_bytes: SMALL.bytes.length });
        expect(await buildsOf()).toBe(1);
      };

      it('can be completed again after a kill during the assembly', async () => {
        for (let round = 0; round < 6; round++) {
          project = await ann.createsProject({ id: project.organizationId });
          ci = app.ci((token = await ann.createsToken(project, 'MANAGE_PROJECT')));
          const client = await sent();
          const lost = beginsToComplete(client);
          await new Promise((resolve) => setTimeout(resolve, Math.random() * 120));
          await server.kill();
          await lost;
          await restarts();
          await completesAgain(client);
        }
        await expectNothingLeftAfterSweeps();
      });

      // red when: the build is made before the blob, or parts count as missing once the blob exists
      it('can be completed again after a kill between blob and commit', async () => {
        const client = await sent();
        const holder = new Client({ connectionString: app.database.ownerUrl });
        await holder.connect();
        // Jobs that only read events must not count as waiting.
        await holder.query('BEGIN; LOCK TABLE audit_event IN SHARE MODE');
        const lost = beginsToComplete(client);
        await until(async () => (await rows(lockWaiters('audit_event'))) === 1);
        await server.kill();
        await holder.end();
        expect(await lost).toBeNull();
        expect(await buildsOf()).toBe(0);
        await restarts();
        await completesAgain(client);
        await expectNothingLeftAfterSweeps();
      });

      // red when: the commit does not check the lease
      it('makes no build after a freeze past its lease, and its blob is deleted', async () => {
        const client = await sent();
        const holder = new Client({ connectionString: app.database.ownerUrl });
        await holder.connect();
        await holder.query('BEGIN; LOCK TABLE invite IN ACCESS EXCLUSIVE MODE');
        const answer = beginsToComplete(client);
        await until(async () => (await place.keys(app)).includes(`builds/${client.id}`));
        server.signal('SIGSTOP');
        await holder.end();
        await app.clock.advance({ hours: 25 });
        await app.runsJob('builds.sweep-uploads');
        server.signal('SIGCONT');
        const status = (await answer)?.status;
        expect([404, 503]).toContain(status);
        expect(await buildsOf()).toBe(0);
        await expectNothingLeftAfterSweeps();
      });
    });
  });
}
