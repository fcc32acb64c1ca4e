import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from 'pg';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#infra/database/embedded/embedded-postgres';
import { readPostmaster, stopPostmaster } from '#infra/database/embedded/postmaster';
import { worksIn } from '#infra/database/embedded/process-table';

const root = path.resolve(__dirname, '../../..');
const asRoot = process.getuid?.() === 0;
const onlyAsRoot = asRoot ? it : it.skip;
const settings = { fsync: 'off' };

interface Outcome {
  readonly url?: string;
  readonly ownerUrl?: string;
  readonly adopted?: boolean;
  readonly error?: string;
}

describe('startEmbeddedPostgres', () => {
  let folder: string;
  /** A folder inside `folder`, which is deleted after each test. */
  let dataDirectory: string;
  let log: string[];
  const children: ChildProcess[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agate test '));
    await chmod(folder, 0o711);
    dataDirectory = path.join(folder, "it's a data folder");
    log = [];
  });

  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    await stopServerIn(dataDirectory);
    await rm(folder, { recursive: true, force: true });
  });

  const start = (options: { port?: number } = {}): Promise<EmbeddedPostgres> =>
    startEmbeddedPostgres({ dataDirectory, settings, log: (message) => log.push(message), ...options });

  /** Starts PostgreSQL from a child process. */
  async function startElsewhere(): Promise<{ child: ChildProcess; outcome: Outcome }> {
    const script = path.join(root, 'test/support/processes/embedded-postgres-process.ts');
    const child = spawn(
      process.execPath,
      ['--require', path.join(root, 'test/support/processes/run-typescript.cjs'), script, dataDirectory],
      {
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    );
    children.push(child);
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
    return { child, outcome: JSON.parse(line) as Outcome };
  }

  async function ask<Row>(url: string | undefined, sql: string): Promise<Row> {
    const client = new Client({ connectionString: url! });
    await client.connect();
    try {
      return (await client.query(sql)).rows[0] as Row;
    } finally {
      await client.end();
    }
  }

  it('starts in a path with spaces and keeps data, password and port over a restart', async () => {
    const first = await start();
    await ask(first.ownerUrl, `create table kept as select 'é' as letter`);
    await first.stop();
    await expect(ask(first.url, 'select 1')).rejects.toThrow('ECONNREFUSED');
    const second = await start();
    expect(second.adopted).toBe(false);
    expect(second.url).toBe(first.url);
    expect(await ask(second.ownerUrl, 'select letter, upper(letter) as upper from kept')).toEqual({
      letter: 'é',
      upper: 'É',
    });
    await second.stop();
  });

  it('creates random passwords that only the owner can read, and listens on 127.0.0.1 only', async () => {
    const postgres = await start();
    const { url } = postgres;
    for (const file of ['password', 'application-password']) {
      const { mode, uid } = await stat(path.join(dataDirectory, file));
      expect(mode & 0o777).toBe(0o600);
      expect(uid).toBe((await stat(path.join(dataDirectory, 'cluster'))).uid);
    }
    expect(new URL(url).password).toMatch(/^[\w-]{32}$/);
    expect(new URL(postgres.ownerUrl).password).not.toBe(new URL(url).password);
    expect(await ask(url, 'show listen_addresses')).toEqual({ listen_addresses: '127.0.0.1' });
    const wrong = Object.assign(new URL(url), { password: 'wrong' });
    await expect(ask(wrong.href, 'select 1')).rejects.toMatchObject({ code: '28P01' });
    await postgres.stop();
  });

  it('adopts the server that a killed process left running', async () => {
    const { child, outcome } = await startElsewhere();
    await ask(outcome.ownerUrl, 'create table kept as select 1 as one');
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await ask(outcome.ownerUrl, 'select one from kept')).toEqual({ one: 1 });
    const adopted = await start();
    expect(adopted).toMatchObject({ adopted: true, url: outcome.url, ownerUrl: outcome.ownerUrl });
    await adopted.stop();
    await expect(ask(outcome.url, 'select 1')).rejects.toThrow('ECONNREFUSED');
  });

  it('runs one server when three processes start it concurrently', async () => {
    const outcomes = (await Promise.all([startElsewhere(), startElsewhere(), startElsewhere()])).map(
      (each) => each.outcome,
    );
    expect(outcomes.map(({ adopted }) => adopted).sort()).toEqual([false, true, true]);
    expect(new Set(outcomes.map(({ url }) => url)).size).toBe(1);
    expect(await ask(outcomes[0]!.url, 'select count(*)::int from pg_database')).toEqual({ count: 4 });
  });

  it('uses another port when the previous one is in use, and fails when that port is required', async () => {
    const first = await start();
    await first.stop();
    const taken = createServer().listen(Number(new URL(first.url).port), '127.0.0.1');
    await once(taken, 'listening');
    try {
      const { port } = taken.address() as AddressInfo;
      await expect(start({ port })).rejects.toThrow(`Port ${port} on 127.0.0.1, required for PostgreSQL, is in use.`);
      const second = await start();
      expect(new URL(second.url).port).not.toBe(String(port));
      expect(Number(new URL(second.url).port)).toBeLessThan(32_768);
      await second.stop();
    } finally {
      taken.close();
    }
  });

  it.each(['nobody', 'another process'])('starts when a stale lock file holds the pid of %s', async (whose) => {
    // Not this process, because PostgreSQL ignores its own parent's pid.
    const other = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], { stdio: 'ignore' });
    children.push(other);
    const pid = whose === 'nobody' ? 4_194_304 : other.pid;
    await (await start()).stop();
    const file = path.join(dataDirectory, 'cluster/postmaster.pid');
    await writeFile(file, `${pid}\n${dataDirectory}/cluster\n1700000000\n25000\n\n127.0.0.1\n 0 0\nready   \n`);
    if (asRoot) await chownLike(path.join(dataDirectory, 'cluster'), file);
    const again = await start();
    expect(again.adopted).toBe(false);
    await again.stop();
  });

  it('starts over when the first start was interrupted', async () => {
    await mkdir(path.join(dataDirectory, 'cluster.draft/base'), { recursive: true });
    await writeFile(path.join(dataDirectory, 'start.lock'), '4194304 gone 00\n');
    await (await start()).stop();
  });

  it('rejects a folder that belongs to another user', async () => {
    if (asRoot) {
      await mkdir(path.join(dataDirectory, 'cluster'), { recursive: true });
      await writeFile(path.join(dataDirectory, 'cluster/PG_VERSION'), '18\n');
      await expect(start()).rejects.toThrow(/belongs to root, and PostgreSQL refuses to run as root/);
    } else {
      const options = { dataDirectory: '/', settings, log: () => undefined };
      await expect(startEmbeddedPostgres(options)).rejects.toThrow(
        'The database folder / belongs to another user (uid 0)',
      );
    }
  });

  it('rejects the data of another major version', async () => {
    await (await start()).stop();
    await writeFile(path.join(dataDirectory, 'cluster/PG_VERSION'), '17\n');
    await expect(start()).rejects.toThrow('PostgreSQL 17 created the database in');
  });

  // red when: the server is started with the path of its folder, which its account cannot use; initdb likewise
  onlyAsRoot('keeps its data in a folder below one that its account cannot enter', async () => {
    await chmod(folder, 0o700);
    const first = await start();
    expect((await stat(path.join(dataDirectory, 'cluster/PG_VERSION'))).isFile()).toBe(true);
    await ask(first.ownerUrl, 'create table kept as select generate_series(1, 200000) as n');
    await ask(first.ownerUrl, 'checkpoint');
    expect(await ask(first.ownerUrl, 'select pg_reload_conf() as reloaded')).toEqual({ reloaded: true });
    // New connections and parallel workers read the folder too.
    await ask(first.ownerUrl, 'create index on kept (n)');
    await ask(first.ownerUrl, 'vacuum (analyze, parallel 2) kept');
    await first.stop();
    const second = await start();
    expect(await ask(second.ownerUrl, 'select count(*)::int from kept')).toEqual({ count: 200_000 });
    await second.stop();
  });

  // red when: the former folder stays in use, or is deleted before the move
  onlyAsRoot.each(['that is stopped', 'whose server still runs'])(
    'moves a database of an earlier version, %s, into the data directory',
    async (state) => {
      // On another file system, if there is one.
      const parent = await stat('/dev/shm').then(
        () => '/dev/shm',
        () => tmpdir(),
      );
      const former = await mkdtemp(path.join(parent, 'agate-postgres-'));
      try {
        const before = await startEmbeddedPostgres({ dataDirectory: former, settings, log: () => undefined });
        await ask(before.ownerUrl, 'create table kept as select 1 as one');
        if (state === 'that is stopped') await before.stop();
        await mkdir(dataDirectory, { recursive: true });
        await chmod(folder, 0o700);
        await writeFile(path.join(dataDirectory, 'location'), `${former}\n`);

        const after = await start();
        expect(log.join()).toContain(`Moving the database from ${former} to ${dataDirectory}.`);
        expect(await ask(after.ownerUrl, 'select one from kept')).toEqual({ one: 1 });
        expect(new URL(after.url).password).toBe(new URL(before.url).password);
        await after.stop();
        for (const gone of [former, path.join(dataDirectory, 'location')]) {
          await expect(stat(gone)).rejects.toThrow('ENOENT');
        }
        const again = await start();
        expect(await ask(again.ownerUrl, 'select one from kept')).toEqual({ one: 1 });
        await again.stop();
      } finally {
        await stopServerIn(former);
        await rm(former, { recursive: true, force: true });
      }
    },
  );

  // red when: a failure after the server's start is thrown without stopping it
  it('leaves no server behind when the start fails', async () => {
    // Writing the port into it fails, as on a full disk.
    await mkdir(path.join(dataDirectory, 'port'), { recursive: true });
    await expect(start()).rejects.toThrow('PostgreSQL cannot start in');
    expect(await readPostmaster(path.join(dataDirectory, 'cluster'))).toBeUndefined();
  });
});

async function stopServerIn(home: string): Promise<void> {
  const server = await readPostmaster(path.join(home, 'cluster'));
  if (server && (await worksIn(server.pid, path.join(home, 'cluster')))) await stopPostmaster(server.pid);
}

async function chownLike(model: string, file: string): Promise<void> {
  const { uid, gid } = await stat(model);
  await chown(file, uid, gid);
}
