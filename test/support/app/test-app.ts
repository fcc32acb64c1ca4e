import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { NestFactory } from '@nestjs/core';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { Pool } from 'pg';
import supertest from 'supertest';
import { type RequestContext, systemContext } from '#kernel/context/request-context';
import { HttpConfig, RuntimeConfig } from '#infra/config/config';
import { loadConfig } from '#infra/config/load-config';
import { loadSecrets } from '#infra/crypto/secrets';
import { HttpAdapter } from '#infra/http/server/http-adapter';
import { createLogger } from '#infra/logging/logger';
import { AppModule } from '#app/app.module';
import { setUpApp } from '#app/app.setup';
import { Developer, ProjectCredential, randomEmail } from '../actors/actors';
import { faultsOf } from '../checks/billing-consistency';
import { printOnFailure } from './failure-log';
import { Mailbox } from './mailbox';
import { TestClock } from './test-clock';
import { createTestDatabase, type TestDatabase } from './test-database';

export interface TestAppOptions {
  /** Configuration as environment variables; rate limits are off unless `RATE_LIMIT_FACTOR` says otherwise. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Shares the database, data directory and clock of another TestApp, like a second process of one installation. */
  readonly beside?: TestApp;
  /** Whether it runs jobs. Default true. */
  readonly worker?: boolean;
  /** Directory of the built dashboard to serve. Default: none, so that tests do not depend on what was built. */
  readonly dashboard?: string;
  /** Directory of the built command line to serve. Default: none. */
  readonly commandLine?: string;
  /** Directory of the built documents to serve. Default: none. */
  readonly help?: string;
}

/** The time that `stop` waits for requests in progress. */
const LAST_REQUESTS_MS = 2_000;

/** The whole application over HTTP, with its own database and data directory. */
export class TestApp {
  /** All log lines. */
  readonly logLines: string[];
  readonly mailbox: Mailbox;
  private readonly companions: (() => Promise<void>)[] = [];
  private readonly owner: Pool;

  private constructor(
    readonly nest: NestExpressApplication,
    readonly url: string,
    readonly database: TestDatabase,
    readonly dataDirectory: string,
    readonly clock: TestClock,
    private readonly owns: boolean,
    logLines: string[],
  ) {
    this.logLines = logLines;
    this.mailbox = new Mailbox(join(dataDirectory, 'mail'));
    this.owner = new Pool({ connectionString: database.ownerUrl });
    // A test may terminate all connections of its database; the pool reconnects for the next query.
    this.owner.on('error', () => undefined);
  }

  static async start({ environment = {}, beside, worker = true, ...built }: TestAppOptions = {}): Promise<TestApp> {
    const database = beside?.database ?? (await createTestDatabase());
    const dataDirectory = beside?.dataDirectory ?? (await createDataDirectory());
    const clock = beside?.clock ?? new TestClock(database.ownerUrl);
    const config = loadConfig({
      NODE_ENV: 'test',
      PORT: '0',
      BASE_URL: 'http://localhost:3000',
      DATA_DIR: dataDirectory,
      DATABASE_URL: database.url,
      RATE_LIMIT_FACTOR: '0',
      ROLE: worker ? 'all' : 'api',
      FAST_PATHS: process.env['FAST_PATHS'],
      ...environment,
    });
    const logLines: string[] = [];
    printOnFailure(logLines);
    const sink = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        logLines.push(chunk.toString());
        done();
      },
    });
    const logger = createLogger(config, sink);
    const { url: databaseUrl, ownerUrl: databaseOwnerUrl } = database;
    const parts = { config, logger, clock, secrets: loadSecrets(config), databaseUrl, databaseOwnerUrl };
    const nest = await NestFactory.create<NestExpressApplication>(
      AppModule.forRoot(parts),
      new HttpAdapter(config.get(RuntimeConfig)),
      {
        logger,
        bodyParser: false,
        abortOnError: false,
      },
    );
    setUpApp(nest, built);
    await nest.listen(config.get(HttpConfig).port, '127.0.0.1');
    const { port } = nest.getHttpServer().address() as AddressInfo;
    return new TestApp(
      nest,
      `http://127.0.0.1:${port}`,
      database,
      dataDirectory,
      clock,
      beside === undefined,
      logLines,
    );
  }

  /** @throws when an organization's ledger, reservations or meters are inconsistent after the tests of a file. */
  async stop(): Promise<void> {
    const faults = this.owns ? await faultsOf(this) : [];
    // A browser keeps connections without a request open.
    const closing = setTimeout(() => this.nest.getHttpServer().closeAllConnections(), LAST_REQUESTS_MS);
    await this.nest.close();
    clearTimeout(closing);
    await Promise.all(this.companions.map((stop) => stop()));
    await this.owner.end();
    if (!this.owns) return;
    await this.database.drop();
    await rm(this.dataDirectory, { recursive: true, force: true });
    if (faults.length > 0) throw new Error(`Billing is inconsistent: ${JSON.stringify(faults)}`);
  }

  /** Registers a step that runs after the application has stopped. */
  stopsWith(stop: () => Promise<void>): void {
    this.companions.push(stop);
  }

  /** A client without credentials. */
  get anonymous(): supertest.Agent {
    return supertest.agent(this.url);
  }

  /** The context of the service itself, outside a request. */
  get systemContext(): RequestContext {
    return systemContext('test', this.clock, 'test');
  }

  /** A developer who signed up, verified their e-mail with the mailed link, and logged in. */
  async developer(email = randomEmail(), password?: string): Promise<Developer> {
    return Developer.signUp(this.url, this.mailbox, email, password);
  }

  /** A developer who signed up and logged in, with an unverified e-mail. */
  async unverifiedDeveloper(email = randomEmail()): Promise<Developer> {
    return Developer.register(this.url, email);
  }

  /** A client with a project access token. */
  ci(token: string): ProjectCredential {
    return new ProjectCredential(this.url, token);
  }

  /** Runs SQL as the owner, to check or prepare what no route can. */
  async sql<Row = Record<string, unknown>>(text: string, parameters: unknown[] = []): Promise<Row[]> {
    return (await this.owner.query(text, parameters)).rows as Row[];
  }

  /** Sends the mails about releases now, instead of a minute after the promotion, and waits until they are sent. */
  async mailsReleases(): Promise<void> {
    await this.sql(
      `UPDATE graphile_worker._private_jobs SET run_at = now()
       WHERE task_id = (SELECT id FROM graphile_worker._private_tasks WHERE identifier = 'release.announce')`,
    );
    await this.runsJob('release.send-waiting');
  }

  /** Makes a worker run a job now, such as one of a schedule, and waits until the job and the jobs that it enqueues are done. */
  async runsJob(name: string): Promise<void> {
    await this.sql('SELECT FROM graphile_worker.add_job($1)', [name]);
    await this.jobsEnd();
  }

  /** Waits until no job runs and none is due. */
  async jobsEnd(): Promise<void> {
    for (;;) {
      const due = await this.sql(
        `SELECT task_identifier, attempts, last_error FROM graphile_worker.jobs WHERE run_at <= now() OR locked_at IS NOT NULL`,
      );
      if (due.length === 0) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

/** A data directory with the signing key of the test run, because generating a key per application takes too long. */
async function createDataDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'agate-test-'));
  await mkdir(join(directory, 'keys'), { mode: 0o700 });
  await writeFile(join(directory, 'keys/jwt-private-keys.pem'), process.env['AGATE_TEST_SIGNING_KEY']!, {
    mode: 0o600,
  });
  return directory;
}
