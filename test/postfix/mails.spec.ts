import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { pino } from 'pino';
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
import { type FailedMail, MailOutbox } from '#infra/mail/mail-outbox';
import { SMTP_TIMEOUTS, SmtpMailer, type SmtpMailerOptions } from '#infra/mail/mailers/smtp-mailer';
import { Metrics } from '#infra/metrics/metrics';
import { aMail } from '../suites/mailer.suite';
import { TRUSTED_CLOCK } from '../support/app/test-clock';
import { createTestDatabase, type TestDatabase } from '../support/app/test-database';
import { until } from '../support/until';
import { PostfixServer } from './postfix-server';

/** A policy that answers after two seconds, like a slow filter for viruses. */
const SLEEP = 'sleep 2';
/** Shorter than Postfix needs after the whole mail, as the timeout for all phases once was. */
const SHORT = { ...SMTP_TIMEOUTS, confirmationMs: 700 };

describe('mails through Postfix', () => {
  const clock = new SystemClock();
  const ctx: RequestContext = { requestId: 'request-1', sourceIp: null, identity: ANONYMOUS, clock };
  const logged: string[] = [];
  const failed: FailedMail[] = [];
  let database: TestDatabase;
  let dataSource: DataSource;
  let postfix: PostfixServer;
  let stopWorker: () => Promise<void> = () => Promise.resolve();

  beforeAll(async () => {
    database = await createTestDatabase();
    dataSource = await new DataSource(dataSourceOptions(database.url, 5)).initialize();
  });
  afterEach(async () => {
    await stopWorker();
    stopWorker = () => Promise.resolve();
    await postfix.stop();
    await dataSource.query('DELETE FROM graphile_worker._private_jobs');
    logged.length = 0;
    failed.length = 0;
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const mailerFor = (options: Partial<SmtpMailerOptions> = {}): SmtpMailer =>
    new SmtpMailer({
      url: `smtp://127.0.0.1:${postfix.port}`,
      baseUrl: 'https://agate.example.com',
      isProduction: true,
      from: { address: 'agate@example.com' },
      ...options,
    });

  /** Starts a worker and queues a mail to the address. */
  const sends = async (address: string, options: Partial<SmtpMailerOptions> = {}): Promise<void> => {
    const transactions = new Transactions(dataSource);
    const jobs = new Jobs(transactions, TRUSTED_CLOCK);
    const mailer = mailerFor(options);
    const logger = new Logger(pino({ base: null }, { write: (line: string) => logged.push(line) }));
    const sealer = new Sealer([{ id: 'k', secret: randomBytes(32) }]);
    const outbox = new MailOutbox(jobs, mailer, sealer, new Metrics(clock), transactions, logger);
    outbox.onModuleInit();
    outbox.failures.add((_tx, mail) => Promise.resolve(void failed.push(mail)));
    const timing = { stopWithinMs: 5_000, checkWorkersEveryMs: 1_000, pollEveryMs: 100 };
    const slots = { mail: 2, store: 1, database: 1, shards: 1, network: 1 };
    const worker = new JobWorker({ databaseUrl: database.url, slots, ...timing }, jobs, clock, logger);
    stopWorker = async () => {
      await worker.stop();
      mailer.onApplicationShutdown();
    };
    const { subject, text, html } = aMail();
    const recipient = { kind: 'tester', id: 't1' } as const;
    await transactions.run(ctx, (tx) => outbox.queue(tx, { to: { address }, subject, text, html }, { recipient }));
    await worker.start();
  };

  interface QueuedJob {
    readonly attempts: number;
    readonly is_later: boolean;
    readonly last_error: string | null;
  }
  const queued = (): Promise<QueuedJob[]> =>
    dataSource.query(
      `SELECT attempts, run_at > now() + interval '25 minutes' AS is_later, last_error FROM graphile_worker.jobs`,
    );
  const isDone = async (): Promise<boolean> => (await queued()).length === 0;
  const makesDue = () =>
    dataSource.query('UPDATE graphile_worker._private_jobs SET run_at = now() WHERE locked_at IS NULL');
  const countOf = async (pattern: RegExp): Promise<number> => [...(await postfix.log()).matchAll(pattern)].length;

  it('arrive once when Postfix is slow at RCPT and after the whole mail, and name the host of BASE_URL', async () => {
    postfix = await PostfixServer.start({
      parameters: {
        smtpd_end_of_data_restrictions: SLEEP,
        smtpd_relay_restrictions: `${SLEEP}, permit_mynetworks`,
      },
    });
    await sends('slow@example.com');
    await until(isDone);
    await until(async () => (await postfix.delivered()).length > 0);
    const [mail, ...copies] = await postfix.delivered();
    expect(copies).toEqual([]);
    expect(mail).toContain('Received: from agate.example.com ');
  });

  // red when: a timeout after the whole mail is retried immediately: Postfix delivers a copy for each attempt
  it('that Postfix did not confirm in time are sent once more half an hour later, and then never', async () => {
    postfix = await PostfixServer.start({ parameters: { smtpd_end_of_data_restrictions: SLEEP } });
    await sends('slow@example.com', { timeouts: SHORT });
    await until(async () => (await queued()).some(({ is_later: isLater }) => isLater));
    await until(async () => (await postfix.delivered()).length === 1);
    expect(await queued()).toEqual([expect.objectContaining({ attempts: 0, is_later: true, last_error: null })]);
    await makesDue();
    await until(isDone);
    await until(async () => (await postfix.delivered()).length === 2);
    const ids = (await postfix.delivered()).map((mail) => /^Message-ID: (.*)$/im.exec(mail)?.[1]);
    expect(new Set(ids).size).toBe(1);
    expect(failed).toEqual([]);
  });

  // red when: a stop returns the job to the queue, so that the next worker sends a copy immediately
  it('that Postfix has when the worker stops are sent once more half an hour later', async () => {
    postfix = await PostfixServer.start({
      parameters: { smtpd_end_of_data_restrictions: 'sleep 30', debug_peer_list: '127.0.0.1' },
    });
    await sends('slow@example.com');
    await until(async () => (await postfix.log()).includes('START End-of-data RESTRICTIONS'));
    await stopWorker();
    expect(await queued()).toEqual([expect.objectContaining({ attempts: 0, is_later: true, last_error: null })]);
  });

  // red when: a permanent refusal is retried
  it.each([
    ['unknown', '5.1.1', '5.1.1'],
    ['blocked', '5.7.1', null],
    ['full', '5.2.2', null],
  ])('to the address "%s" are tried once and fail with %s', async (name, status, invalidAddress) => {
    postfix = await PostfixServer.start();
    await sends(`${name}@example.com`);
    await until(isDone);
    expect(failed).toEqual([{ recipient: { kind: 'tester', id: 't1' }, invalidAddress }]);
    // Postfix writes its log later than its response.
    await until(async () => (await countOf(/NOQUEUE: reject/g)) > 0);
    expect(await countOf(/NOQUEUE: reject/g)).toBe(1);
    expect(logged.filter((line) => line.includes(status))).toHaveLength(1);
    expect(logged.join()).not.toMatch(/stack|@example\.com/);
  });

  it('are refused for good when they are larger than Postfix accepts', async () => {
    postfix = await PostfixServer.start({ parameters: { message_size_limit: '500' } });
    await sends('large@example.com');
    await until(isDone);
    expect(failed).toEqual([expect.objectContaining({ invalidAddress: null })]);
    expect(logged.join()).toContain('5.3.4');
  });

  it('are retried after a temporary refusal, and arrive', async () => {
    const greylisting = 'check_client_access static:{450 4.2.0 Greylisted}';
    postfix = await PostfixServer.start();
    await postfix.change({ smtpd_data_restrictions: greylisting });
    await sends('later@example.com');
    await until(async () => (await queued()).some(({ last_error: error }) => error?.includes('450 4.2.0')));
    await postfix.change({ smtpd_data_restrictions: '' });
    await until(async () => {
      await makesDue();
      return isDone();
    });
    await until(async () => (await postfix.delivered()).length === 1);
    expect(failed).toEqual([]);
  });

  // red when: a faulty configuration of this service ends the mails of its recipients
  it('are retried when Postfix refuses this client', async () => {
    postfix = await PostfixServer.start({ parameters: { smtpd_client_restrictions: 'reject' } });
    await sends('ann@example.com');
    await until(async () => (await queued()).some(({ last_error: error }) => error?.includes('554 5.7.1')));
    expect(failed).toEqual([]);
  });

  describe('with a self-signed certificate', () => {
    beforeEach(async () => void (postfix = await PostfixServer.start({ offersTls: true })));
    const url = (query = ''): string => `smtp://localhost:${postfix.port}${query}`;

    it('are not sent, with advice in plain words', async () => {
      const mailer = mailerFor({ url: url() });
      await expect(mailer.verify()).rejects.toThrow(/self-signed.*NODE_EXTRA_CA_CERTS.*tls\.rejectUnauthorized=false/);
      await expect(mailer.send(aMail())).rejects.toThrow('NODE_EXTRA_CA_CERTS');
      mailer.onApplicationShutdown();
    });

    it.each([
      ['a trusted authority', () => `?tls.ca=${encodeURIComponent(certificate)}`],
      ['tls.rejectUnauthorized=false', () => '?tls.rejectUnauthorized=false'],
    ])('are sent encrypted with %s', async (_case, query) => {
      certificate = await readFile(postfix.certificate, 'utf8');
      const mailer = mailerFor({ url: url(query()) });
      await mailer.send(aMail({ to: { address: 'ann@example.com' } }));
      await until(async () => (await postfix.delivered()).length === 1);
      expect((await postfix.delivered())[0]).toContain('with ESMTPS');
      mailer.onApplicationShutdown();
    });
    let certificate = '';
  });

  // red when: STARTTLS is used only when it is offered
  it('are not sent without TLS to a server that must offer it', async () => {
    postfix = await PostfixServer.start();
    const mailer = mailerFor({ url: `smtp://ann:secret@127.0.0.1:${postfix.port}?requireTLS=true` });
    await expect(mailer.verify()).rejects.toThrow(/does not offer TLS.*ignoreTLS=true/);
    await expect(mailer.send(aMail())).rejects.toThrow('does not offer TLS');
    mailer.onApplicationShutdown();
    expect(await countOf(/AUTH|from=</g)).toBe(0);
  });
});
