import { randomUUID } from 'node:crypto';
import { type RequestContext } from '#kernel/context/request-context';
import { Transactions } from '#infra/database/transactions';
import { MailOutbox } from '#infra/mail/mail-outbox';
import { HOSTED, StorageService } from '#modules/storage';
import { TestApp } from '../../support/app/test-app';
import { type SilentServer, startSilentServer } from '../../support/servers/silent-server';
import { until } from '../../support/until';

const MANY = 12;
/** The jobs of a class that one process runs at the same time. */
const SLOTS = { 'storage.delete-blob': 2, 'mail.send': 4 } as const;
type Task = keyof typeof SLOTS;

/** Jobs that wait for a server which accepts connections and never answers, beside jobs of the other classes. */
describe('jobs', () => {
  let app: TestApp;
  let silent: SilentServer;

  beforeEach(async () => {
    silent = await startSilentServer();
  });
  afterEach(async () => {
    // Ends the connections first, so that the jobs in progress fail and the stop does not wait for them.
    await silent.stop();
    await app.stop();
  });

  const store = (): Record<string, string> => ({
    STORAGE_PROVIDER: 's3',
    S3_ENDPOINT: `http://${silent.host}`,
    S3_REGION: 'eu-central-1',
    S3_BUCKET: 'artifacts',
    S3_ACCESS_KEY_ID: 'key',
    S3_SECRET_ACCESS_KEY: 'secret',
  });
  const mailServer = (): Record<string, string> => ({ MAIL_URL: `smtp://${silent.host}` });
  const inTransaction = (work: (tx: RequestContext) => Promise<void>): Promise<void> =>
    app.nest.get(Transactions).run(app.systemContext, work);
  const deletes = (count: number): Promise<void> =>
    inTransaction(async (tx) => {
      for (let n = 0; n < count; n++) {
        await app.nest.get(StorageService, { strict: false }).deleteLater(tx, { account: HOSTED, key: randomUUID() });
      }
    });
  const mails = (count: number, address = 'ann@example.com'): Promise<void> =>
    inTransaction(async (tx) => {
      const draft = { to: { address }, subject: 'Hello', html: '<p>Hello</p>', text: 'Hello' };
      for (let n = 0; n < count; n++) await app.nest.get(MailOutbox).queue(tx, draft);
    });
  const sweeps = async (): Promise<unknown> =>
    app.sql(`SELECT FROM graphile_worker.add_job('billing.release-expired')`);

  interface Queued {
    readonly attempts: number;
    readonly running: boolean;
    readonly failed: boolean;
  }
  const queued = (task: string): Promise<Queued[]> =>
    app.sql<Queued>(
      `SELECT attempts, locked_at IS NOT NULL AS running, last_error IS NOT NULL AS failed
       FROM graphile_worker._private_jobs JOIN graphile_worker._private_tasks t ON t.id = task_id
       WHERE identifier = $1`,
      [task],
    );
  const isDone = (task: string) => async (): Promise<boolean> => (await queued(task)).length === 0;
  const isHanging = (task: Task) => async (): Promise<boolean> =>
    (await queued(task)).filter(({ running }) => running).length >= SLOTS[task] && silent.accepted() >= SLOTS[task];

  /** None of the jobs that hang has timed out yet: the others did not wait for them. */
  const expectAllHanging = async (task: Task): Promise<void> => {
    const jobs = await queued(task);
    expect(jobs).toHaveLength(MANY);
    expect(jobs.filter(({ running }) => running)).toHaveLength(SLOTS[task]);
    expect(jobs.filter(({ failed }) => failed)).toEqual([]);
  };

  // red when: all classes share their slots
  it('of mail and money do not wait for a store that hangs', async () => {
    app = await TestApp.start({ environment: store() });
    await deletes(MANY);
    await until(isHanging('storage.delete-blob'));
    await Promise.all([mails(1), sweeps()]);
    await until(isDone('mail.send'));
    await until(isDone('billing.release-expired'));
    await expectAllHanging('storage.delete-blob');
    expect(await app.mailbox.all('ann@example.com')).toHaveLength(1);
  });

  // red when: all classes share their slots
  it('of stores and money do not wait for a mail server that hangs', async () => {
    app = await TestApp.start({ environment: mailServer() });
    await mails(MANY);
    await until(isHanging('mail.send'));
    await Promise.all([deletes(1), sweeps()]);
    await until(isDone('storage.delete-blob'));
    await until(isDone('billing.release-expired'));
    await expectAllHanging('mail.send');
  });

  // red when: each job waits for its own timeout of a server that does not respond
  it.each([
    ['a mail server', 'mail.send', mailServer, mails, 'The mail server does not respond'],
    ['a store', 'storage.delete-blob', store, deletes, 'A store does not respond'],
  ])('for %s that refuses connections are rejected without another attempt to connect', async (...row) => {
    const [, task, environment, enqueue, message] = row;
    app = await TestApp.start({ environment: environment() });
    await silent.stop();
    await enqueue(MANY);
    await until(async () => (await queued(task)).every(({ failed }) => failed));
    const [{ rejected }] = (await app.sql<{ rejected: number }>(
      `SELECT count(*)::int AS rejected FROM graphile_worker._private_jobs WHERE last_error LIKE '%does not respond%'`,
    )) as [{ rejected: number }];
    expect(rejected).toBeGreaterThanOrEqual(MANY / 2);
    expect(app.logLines.filter((line) => line.includes(message))).toHaveLength(1);
    silent = await startSilentServer();
  });
});
