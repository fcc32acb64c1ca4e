import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { Agent, type ClientRequest, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import supertest from 'supertest';
import { migrateDatabase } from '#infra/database/migrations/migrate';
import { Developer, type ProjectRef, scope } from '../../support/actors/actors';
import { SlowUpload } from '../../support/actors/slow-upload';
import { Mailbox } from '../../support/app/mailbox';
import { OwnPostgres } from '../../support/app/own-postgres';
import { TestApp } from '../../support/app/test-app';
import { onDatabase } from '../../support/app/test-database';
import { EventStreamClient } from '../../support/load/event-stream-client';
import { takeFreePort } from '../../support/processes/free-port';
import { ServerProcess } from '../../support/processes/server-process';
import { until } from '../../support/until';

jest.setTimeout(120_000);

const sql = async <Row>(url: string, text: string): Promise<Row[]> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows as Row[];
  } finally {
    await client.end();
  }
};

/** Uses real processes that start concurrently. */
describe('a start of the service', () => {
  const postgres = (): string => process.env['AGATE_TEST_POSTGRES']!;
  const names: string[] = [];
  let dataDirectory: string;
  let database: { readonly url: string; readonly ownerUrl: string };
  let servers: ServerProcess[] = [];

  beforeAll(async () => {
    dataDirectory = await mkdtemp(join(tmpdir(), 'agate-test-'));
    database = await createDatabase();
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.kill()));
    for (const name of names) await sql(postgres(), `DROP DATABASE ${name} WITH (FORCE)`);
    await rm(dataDirectory, { recursive: true, force: true });
  });

  const createDatabase = async (): Promise<typeof database> => {
    const name = `agate_first_${randomBytes(6).toString('hex')}`;
    await sql(postgres(), `CREATE DATABASE ${name}`);
    names.push(name);
    return { url: onDatabase(process.env['AGATE_TEST_APPLICATION']!, name), ownerUrl: onDatabase(postgres(), name) };
  };
  const migrationFiles = async (): Promise<number> => (await readdir(join(__dirname, '../../../migrations'))).length;

  /** The form in which production accepts a database on another host without TLS: the drivers must understand it. */
  const plaintext = (url: string): string => `${url}?sslmode=disable`;

  // red when: server.listen() or the metrics server gets no address
  it('serves 127.0.0.1 only, unless HOST names another address', async () => {
    const metricsPort = await takeFreePort();
    for (const [more, reachable] of [
      [{}, false],
      [{ HOST: '0.0.0.0' }, true],
    ] as const) {
      const place = {
        dataDirectory,
        database: { url: plaintext(database.url), ownerUrl: plaintext(database.ownerUrl) },
      };
      const server = await ServerProcess.start(place, { METRICS_PORT: String(metricsPort), ...more });
      servers.push(server);
      await fetch(`${server.url}/api/v1/live`);
      for (const port of [server.port, metricsPort]) {
        const other = fetch(`http://127.0.0.2:${port}/`).then(
          () => true,
          () => false,
        );
        expect([port, await other]).toEqual([port, reachable]);
      }
      await server.stop();
    }
  });

  // red when: migrateDatabase takes no lock
  it('migrates an empty database once when eight processes start concurrently', async () => {
    const { url, ownerUrl } = await createDatabase();
    const ran = await Promise.all(Array.from({ length: 8 }, () => migrateDatabase(ownerUrl, url)));
    expect(ran.sort((a, b) => b - a)).toEqual([await migrationFiles(), 0, 0, 0, 0, 0, 0, 0]);
  });

  // red when: each process keeps the keys that it generated (the login fails)
  it('shares an empty database and data directory between concurrent processes', async () => {
    servers = await Promise.all([1, 2, 3].map(() => ServerProcess.start({ dataDirectory, database })));
    const migrations = await sql<{ name: string }>(database.url, 'SELECT name FROM migration');
    expect(migrations).toHaveLength(await migrationFiles());
    expect(new Set(migrations.map((migration) => migration.name)).size).toBe(migrations.length);

    const ann = await Developer.signUp(servers[0]!.url, new Mailbox(join(dataDirectory, 'mail')));
    for (const { url } of servers) {
      await supertest(url).get('/api/v1/ready').expect(200);
      await supertest(url).get('/api/v1/developers/me').set('Authorization', `Bearer ${ann.token}`).expect(200);
      await Developer.logIn(url, ann.email, ann.password);
    }
  });

  it('on a port that is in use fails and suggests another port', async () => {
    const second = await ServerProcess.launch({ dataDirectory, database }, { PORT: String(servers[0]!.port) });
    expect(await second.ended).toEqual({ code: 1, signal: null });
    const said = second.lines.join('\n');
    expect(said).toContain(`Port ${servers[0]!.port} is in use`);
    expect(said).toContain(`PORT=${servers[0]!.port + 1}`);
    await supertest(servers[0]!.url).get('/api/v1/live').expect(200);
  });

  // red when: main.ts handles no signal before it loads the service ({ code: null, signal: 'SIGTERM' }; process 1 of a
  // container would not receive the signal and be killed after the grace period)
  it('handles a SIGTERM that arrives while it loads', async () => {
    const preload = join(__dirname, '../../support/processes/stop-while-loading.cjs');
    const environment = { NODE_OPTIONS: `--require=${preload}` };
    const stopped = await ServerProcess.launch({ dataDirectory, database }, environment, [], 'sources');
    expect(await stopped.ended).toEqual({ code: 0, signal: null });
  });

  // red when: launch() throws the error of a start whose parts were stopped
  it('exits with 0 and prints no error when it is stopped while it makes the demo', async () => {
    const stopped = await ServerProcess.launch({ dataDirectory: join(dataDirectory, 'demo') }, {}, ['--demo']);
    await stopped.ready();
    expect(await stopped.stop()).toEqual({ code: 0, signal: null });
    expect(stopped.lines.at(-1)).toContain('shutting down');
  });
});

describe('SIGTERM', () => {
  let app: TestApp;
  let ann: Developer;
  let project: ProjectRef;
  let server: ServerProcess;

  beforeAll(async () => {
    app = await TestApp.start();
    ann = await app.developer();
    project = await ann.createsProject(await ann.createsOrganization());
  });
  // A process with a long drain must not outlive its test if that fails.
  afterEach(() => server.kill());
  afterAll(() => app.stop());

  const statusOf = (outgoing: ClientRequest): Promise<number> =>
    new Promise((resolve, reject) => {
      outgoing.on('response', (incoming) => incoming.resume().on('end', () => resolve(incoming.statusCode!)));
      outgoing.on('error', reject);
    });
  /** Sends a request over a keep-alive connection. */
  const keepingAlive = (agent: Agent, server: ServerProcess, path: string): Promise<number> => {
    const headers = { Authorization: `Bearer ${ann.token}` };
    return statusOf(request(`${server.url}/api/v1${path}`, { agent, headers }).end());
  };
  /** Begins a request over a keep-alive connection: the server has its headers, and waits for its body. */
  const beginsToPost = async (agent: Agent, server: ServerProcess, path: string, body: object) => {
    const bytes = Buffer.from(JSON.stringify(body));
    const headers = {
      Authorization: `Bearer ${ann.token}`,
      'Content-Type': 'application/json',
      'Content-Length': bytes.length,
      Expect: '100-continue',
    };
    const outgoing = request(`${server.url}/api/v1${path}`, { agent, method: 'POST', headers });
    const status = statusOf(outgoing);
    outgoing.flushHeaders();
    await once(outgoing, 'continue');
    return {
      finish: (): Promise<number> => {
        outgoing.end(bytes);
        return status;
      },
    };
  };

  // red when: the shutdown does not wait for app.close(), or keep-alive connections delay it until its limit
  it('completes an upload and a slow request after the listener has closed, and exits with 0', async () => {
    server = await ServerProcess.start(app, { SHUTDOWN_DRAIN_MS: '1000' });
    const agent = new Agent({ keepAlive: true });
    await keepingAlive(agent, server, '/developers/me');

    const upload = await new SlowUpload(server, ann.token, project, randomBytes(3_000_000)).sendUpTo(0.5);
    await until(async () => (await app.sql('SELECT FROM artifact_upload')).length > 0);
    const token = { name: 'CI', role: 'UPLOAD_BUILD' };
    const slow = await beginsToPost(agent, server, `/project-access-tokens?${scope(project)}`, token);

    server.signal('SIGTERM');
    await isStopping(server);
    await upload.sendUpTo(0.8);
    await refusesConnections(server);
    expect(await slow.finish()).toBe(201);
    expect(await upload.finish()).toMatchObject({ status: 201 });
    expect(await server.ended).toEqual({ code: 0, signal: null });
    agent.destroy();
    expect(await app.sql('SELECT FROM artifact_upload')).toEqual([]);
  });

  // red when: the listener closes before the drain, or the readiness does not depend on the shutdown
  it('reports "not ready" during the drain, in which other requests are served', async () => {
    // Longer than the test, which kills the process.
    server = await ServerProcess.start(app, { SHUTDOWN_DRAIN_MS: '600000' });
    server.signal('SIGTERM');
    await isStopping(server);
    const ready = await supertest(server.url).get('/api/v1/ready');
    expect(ready.status).toBe(503);
    expect(ready.body).toMatchObject({
      checks: expect.arrayContaining([{ name: 'process', status: 'failed' }]) as object,
    });
    await supertest(server.url).get('/api/v1/developers/me').set('Authorization', `Bearer ${ann.token}`).expect(200);
  });

  it('exits with 0 while clients keep idle connections, even if it is sent twice', async () => {
    server = await ServerProcess.start(app);
    const agent = new Agent({ keepAlive: true });
    await Promise.all([1, 2, 3].map(() => keepingAlive(agent, server, '/developers/me')));
    server.signal('SIGTERM');
    server.signal('SIGTERM');
    expect(await server.ended).toEqual({ code: 0, signal: null });
    agent.destroy();
  });

  // red when: a connection without a request counts as active
  it('exits with 0 while a browser keeps a connection that it opened in advance', async () => {
    server = await ServerProcess.start(app, { SHUTDOWN_LIMIT_MS: '60000' });
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    await once(socket, 'connect');
    server.signal('SIGTERM');
    expect(await server.ended).toEqual({ code: 0, signal: null });
    socket.destroy();
  });

  // red when: the streams end only with the sockets, or the drain waits for them
  it('ends event streams before the drain, and exits with 0 although a client does not read', async () => {
    server = await ServerProcess.start(app, { SHUTDOWN_DRAIN_MS: '1000', SHUTDOWN_LIMIT_MS: '600000' });
    const place = { url: server.url, headers: { Authorization: `Bearer ${ann.token}` } };
    const [stream, unread] = await Promise.all([
      EventStreamClient.open(place, project.organizationId),
      EventStreamClient.open(place, project.organizationId),
    ]);
    await until(() => stream.lastEventId !== '');
    unread.response.pause();
    // The change of another process.
    await ann.createsToken(project);
    await stream.receives('project_access_token.created');
    server.signal('SIGTERM');
    expect((await stream.receives('closing')).data['reason']).toBe('shutdown');
    await until(() => stream.hasEnded);
    expect(await server.ended).toEqual({ code: 0, signal: null });
    unread.close();
  });

  // red when: closeConnectionsWhileDraining is not used, or applies only to requests that arrive after the signal
  it('adds Connection: close to every response during the drain', async () => {
    server = await ServerProcess.start(app, { SHUTDOWN_DRAIN_MS: '600000' });
    const connectionOf = async (response: Promise<supertest.Response>): Promise<unknown> =>
      (await response).headers['connection'];
    const ask = (): Promise<supertest.Response> =>
      supertest(server.url).get('/api/v1/live').set('Connection', 'keep-alive').then();
    expect(await connectionOf(ask())).toBe('keep-alive');
    const upload = await new SlowUpload(server, ann.token, project, randomBytes(100_000), {
      Connection: 'keep-alive',
    }).sendUpTo(0.5);
    server.signal('SIGTERM');
    await isStopping(server);
    expect(await connectionOf(ask())).toBe('close');
    const response = await upload.finish();
    expect([response?.status, response?.headers.connection]).toEqual([201, 'close']);
  });

  // red when: nothing listens to the errors of the standard streams (code 1)
  it('exits with 0 after a library wrote to the console although the reader of the log had exited', async () => {
    const preload = join(__dirname, '../../support/processes/write-to-console.cjs');
    server = await ServerProcess.start(app, { NODE_OPTIONS: `--require=${preload}` });
    server.closeLog();
    server.signal('SIGUSR2');
    await supertest(server.url).get('/api/v1/live').expect(200);
    server.signal('SIGUSR2');
    server.signal('SIGTERM');
    expect(await server.ended).toEqual({ code: 0, signal: null });
  });

  describe('when the database stops', () => {
    let postgres: OwnPostgres;

    beforeEach(async () => {
      postgres = await OwnPostgres.start();
      server = await ServerProcess.start(postgres);
    });
    afterEach(() => postgres.remove());

    // red when: the pool of the job worker has no listener for errors (code 1)
    it.each(['before', 'after'])(
      'ends the process when the reader of the log exits and the database stops %s the signal',
      async (order) => {
        server.closeLog();
        if (order === 'after') server.signal('SIGTERM');
        await postgres.stop('immediate');
        if (order === 'before') server.signal('SIGTERM');
        // Not by a signal, and not at the shutdown limit.
        expect(await server.ended).toEqual({ code: 0, signal: null });
      },
    );
  });

  describe('when an upload does not end', () => {
    const halfAnUpload = async (environment: Record<string, string>): Promise<SlowUpload> => {
      server = await ServerProcess.start(app, environment);
      return new SlowUpload(server, ann.token, project, randomBytes(100_000)).sendUpTo(0.5);
    };

    // red when: the shutdown waits only for the drain, or its limit includes the drain (which would be cut short)
    it('aborts the upload at the limit after the drain, and exits with 1', async () => {
      const upload = await halfAnUpload({ SHUTDOWN_DRAIN_MS: '2000', SHUTDOWN_LIMIT_MS: '500' });
      server.signal('SIGTERM');
      await refusesConnections(server);
      expect(await server.ended).toEqual({ code: 1, signal: null });
      expect(await upload.answer).toBeNull();
    });

    // red when: a second signal is ignored
    it('aborts the upload on a second signal', async () => {
      const upload = await halfAnUpload({ SHUTDOWN_LIMIT_MS: '600000' });
      server.signal('SIGTERM');
      await refusesConnections(server);
      const repeating = setInterval(() => server.signal('SIGTERM'), 500).unref();
      expect(await server.ended.finally(() => clearInterval(repeating))).toEqual({ code: 1, signal: null });
      expect(await upload.answer).toBeNull();
    });
  });
});

const isStopping = async (server: ServerProcess): Promise<void> => {
  await until(() => server.lines.some((line) => line.includes('shutting down')));
};

const refusesConnections = async (server: ServerProcess): Promise<void> => {
  const live = (): Promise<unknown> =>
    supertest(server.url)
      .get('/api/v1/live')
      .catch((error: unknown) => error);
  await until(async () => String(await live()).includes('ECONNREFUSED'));
};
