import { randomBytes } from 'node:crypto';
import { type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { DataSource } from 'typeorm';
import { ANONYMOUS } from '#kernel/context/identity';
import { type RequestContext } from '#kernel/context/request-context';
import { SystemClock } from '#infra/clock/system-clock';
import { Sealer } from '#infra/crypto/sealer';
import { dataSourceOptions } from '#infra/database/data-source-options';
import { Transactions } from '#infra/database/transactions';
import { JobWorker } from '#infra/jobs/job-worker';
import { Jobs } from '#infra/jobs/jobs';
import { Logger } from '#infra/logging/logger';
import { MailOutbox } from '#infra/mail/mail-outbox';
import { SmtpMailer } from '#infra/mail/mailers/smtp-mailer';
import { Metrics } from '#infra/metrics/metrics';
import { TRUSTED_CLOCK } from '../../support/app/test-clock';
import { createTestDatabase, type TestDatabase } from '../../support/app/test-database';

describe('a queued mail', () => {
  const clock = new SystemClock();
  const ctx: RequestContext = { requestId: 'request-1', sourceIp: null, identity: ANONYMOUS, clock };
  const delivered: Buffer[] = [];
  let refusals = 0;
  let database: TestDatabase;
  let dataSource: DataSource;
  let server: SMTPServer;
  let mailer: SmtpMailer;
  let worker: JobWorker;
  let outbox: MailOutbox;
  let transactions: Transactions;

  beforeAll(async () => {
    server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onRcptTo: (_address, _session, done) =>
        refusals-- > 0 ? done(Object.assign(new Error('greylisted'), { responseCode: 450 })) : done(),
      onData(stream, _session, done) {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          delivered.push(Buffer.concat(chunks));
          done();
        });
      },
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.server.address() as AddressInfo;

    database = await createTestDatabase();
    dataSource = await new DataSource(dataSourceOptions(database.url, 5)).initialize();
    transactions = new Transactions(dataSource);
    const jobs = new Jobs(transactions, TRUSTED_CLOCK);
    const logger = new Logger(pino({ level: 'silent' }));
    mailer = new SmtpMailer({
      url: `smtp://127.0.0.1:${port}`,
      baseUrl: 'http://localhost:3000',
      isProduction: false,
      from: { address: 'agate@localhost' },
    });
    const sealer = new Sealer([{ id: 'k', secret: randomBytes(32) }]);
    outbox = new MailOutbox(jobs, mailer, sealer, new Metrics(clock), transactions, logger);
    outbox.onModuleInit();
    const timing = {
      slots: { mail: 2, store: 2, database: 2, shards: 2, network: 2 },
      stopWithinMs: 5_000,
      checkWorkersEveryMs: 1_000,
      pollEveryMs: 100,
    };
    worker = new JobWorker({ databaseUrl: database.url, ...timing }, jobs, clock, logger);
  });

  afterAll(async () => {
    await worker.stop();
    mailer.onApplicationShutdown();
    await new Promise<void>((resolve) => server.close(() => resolve()));
    await dataSource.destroy();
    await database.drop();
  });

  it('is sealed in the database, is retried when the server rejects it, and arrives once', async () => {
    refusals = 2;
    const link = 'https://apps.example.org/verify?token=S3CRET';
    await transactions.run(ctx, (tx) =>
      outbox.queue(tx, {
        to: { address: 'ann@example.net' },
        subject: 'Hi',
        text: link,
        html: `<a href="${link}">x</a>`,
      }),
    );
    const [row] = await dataSource.query<[{ dump: string }]>(
      'SELECT string_agg(job::text, chr(10)) AS dump FROM graphile_worker._private_jobs AS job',
    );
    expect(row.dump).toContain('sealed');
    expect(row.dump).not.toMatch(/S3CRET|ann@/);

    await worker.start();
    for (let waiting = true; waiting; await sleep(50)) {
      await dataSource.query('UPDATE graphile_worker._private_jobs SET run_at = now() WHERE locked_at IS NULL');
      const jobs = await dataSource.query<unknown[]>('SELECT FROM graphile_worker.jobs');
      waiting = jobs.length > 0;
    }
    expect(refusals).toBeLessThan(0);
    expect(delivered).toHaveLength(1);
    const email = await PostalMime.parse(delivered[0]!);
    expect(email.text?.trim()).toBe(link);
  });
});
