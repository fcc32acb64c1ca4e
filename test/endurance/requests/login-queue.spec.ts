import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as bcrypt from 'bcrypt';
import { Client } from 'pg';
import { PasswordHasher } from '#infra/crypto/password-hasher';
import { type BuildJson, type Developer, type ProjectRef, randomEmail, scope } from '../../support/actors/actors';
import { verifiedDeveloper } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';
import { ipa } from '../../support/artifacts/valid-artifacts';
import { errorOf } from '../../support/checks/routes/route-requests';
import { rawRequest, type RawResponse } from '../../support/load/raw-http';
import { until } from '../../support/until';

/** The promise overload of bcrypt.compare. */
type Compare = (password: string, hash: string) => Promise<boolean>;

jest.mock('bcrypt', () => {
  const actual = jest.requireActual<typeof bcrypt>('bcrypt');
  return { ...actual, compare: jest.fn(actual.compare as Compare) };
});
jest.mock('node:os', () => ({ ...jest.requireActual<object>('node:os'), availableParallelism: () => 64 }));

const LOGINS = 50;
/** Hashes may use three of libuv's four threads, so that one remains for files, regardless of the number of cores. */
const IN_FLIGHT = 3;
const QUEUE = 20;

/** Checks the limits without measuring time; `npm run bench login-flood` measures it. */
describe('a flood of logins', () => {
  let app: TestApp;
  let ann: Developer;
  let project: ProjectRef;
  let build: BuildJson;
  let gate: Gate;
  beforeAll(async () => {
    gate = await Gate.make();
    app = await TestApp.start({ environment: { TRUST_PROXY: '127.0.0.1' } });
    ann = await verifiedDeveloper(app);
    project = await ann.createsProject(await ann.createsOrganization());
    build = await ann.uploads(project, { bytes: ipa(), fileName: 'Demo.ipa' });
  });
  afterAll(async () => {
    await app.stop();
    await gate.remove();
  });
  afterEach(() => gate.open());

  const logIn = (body = {}, headers = {}): Promise<RawResponse> =>
    rawRequest(`${app.url}/api/v1/login/email`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify({ email: randomEmail(), password: 'not the pass phrase', ...body }),
    });

  // red when: the slots of PasswordHasher are unlimited, cores minus one, or all threads (requests that read files then
  // wait)
  it('does not delay lists, uploads and downloads, and gets 429 beyond the queue', async () => {
    const database = new Client({ connectionString: app.database.ownerUrl });
    await database.connect();
    gate.close();
    const answered: RawResponse[] = [];
    const logins = Array.from({ length: LOGINS }, () => logIn().then((response) => void answered.push(response)));
    await until(() => !gate.isClosed || answered.length + gate.waiting >= LOGINS - QUEUE);
    expect(gate.waiting).toBe(IN_FLIGHT);

    const downloads = async (): Promise<unknown> => {
      const { body } = await ann.post(`/builds/${build.id}/download-url?${scope(project)}`).expect(200);
      return app.anonymous.get(new URL((body as { url: string }).url).pathname).expect(200);
    };
    // Concurrent, because a login waits for 15 seconds at most.
    await Promise.all([
      ann.get(`/builds?${scope(project)}`).expect(200),
      app.anonymous.get('/api/v1/live').expect(200),
      downloads(),
      ann.upload(project, { bytes: ipa(), fileName: 'Demo.ipa' }, { version: '2' }).expect(201),
    ]);

    expect(gate.waiting).toBe(IN_FLIGHT);
    // red when: findByCredentials queries the database before rejectWhenBusy
    await database.query('BEGIN; LOCK TABLE developer IN ACCESS EXCLUSIVE MODE');
    answered.push(await logIn());
    await database.end();

    expect(answered.map(({ status }) => status)).toEqual(Array<number>(LOGINS + 1 - IN_FLIGHT - QUEUE).fill(429));
    for (const response of answered) {
      expect(response.headers['retry-after']).toBe('2');
      const details = { retry_after_seconds: 2, captcha_required: true };
      expect(errorOf(response)).toMatchObject({ error: 'rate_limit_exceeded', details });
    }

    await gate.open();
    await Promise.all(logins);
    expect(answered.filter(({ status }) => status === 401)).toHaveLength(IN_FLIGHT + QUEUE);
    await ann.post('/login/email', { email: ann.email, password: ann.password }).expect(200);
  });

  // red when: hashes are served in the order of arrival, or all networks have one queue
  it.each([
    ['from another network', false, '203.0.113.7'],
    ['from a known device on the same network', true, '2001:db8:7::1'],
  ])('does not hinder the owner %s', async (_who, hasCookie, address) => {
    const owner = { email: ann.email, password: ann.password };
    const first = await logIn(owner, { 'X-Forwarded-For': address });
    const [cookie = ''] = /dfdeveloper_device=[^;]+/.exec(String(first.headers['set-cookie'])) ?? [];
    gate.close();
    const answered: number[] = [];
    const flood = Array.from({ length: LOGINS }, (_, n) =>
      logIn({}, { 'X-Forwarded-For': `2001:db8:7:${n}::1` }).then(({ status }) => answered.push(status)),
    );
    await until(() => gate.waiting >= IN_FLIGHT && answered.length >= LOGINS - IN_FLIGHT - QUEUE);
    expect(answered).toEqual(Array<number>(LOGINS - IN_FLIGHT - QUEUE).fill(429));
    const check = jest.spyOn(app.nest.get(PasswordHasher, { strict: false }), 'matches');
    const login = logIn(owner, { 'X-Forwarded-For': address, ...(hasCookie && { Cookie: cookie }) });
    await until(() => check.mock.calls.length !== 0);
    check.mockRestore();
    const [row] = await app.sql<{ hash: string }>('SELECT password_hash AS hash FROM developer WHERE id = $1', [
      ann.id,
    ]);
    const { calls } = jest.mocked(bcrypt.compare as Compare).mock;
    const started = calls.length;
    await gate.open();
    expect((await login).status).toBe(200);
    await Promise.all(flood);
    // Only the hashes that ran already, and one for each of their places, are served before the owner's.
    const place = calls.slice(started).findIndex(([, hash]) => hash === row!.hash);
    expect([place >= 0, place <= IN_FLIGHT]).toEqual([true, true]);
  });
});

/** Blocks password hashes: while it is closed, each comparison holds one of libuv's threads, like bcrypt does. */
class Gate {
  waiting = 0;
  isClosed = false;

  private constructor(
    private readonly directory: string,
    private readonly pipe: string,
  ) {
    const { compare } = jest.requireActual<typeof bcrypt>('bcrypt');
    jest.mocked(bcrypt.compare as Compare).mockImplementation(async (password, hash) => {
      if (this.isClosed) await this.block();
      return compare(password, hash);
    });
  }

  static async make(): Promise<Gate> {
    const directory = await mkdtemp(join(tmpdir(), 'agate-test-'));
    const pipe = join(directory, 'gate');
    execFileSync('mkfifo', [pipe]);
    return new Gate(directory, pipe);
  }

  close(): void {
    this.isClosed = true;
  }

  /**
   * Releases all comparisons. Opening a pipe for writing without blocking takes no thread; it fails with ENXIO while no
   * reader has opened it.
   */
  async open(): Promise<void> {
    this.isClosed = false;
    while (this.waiting > 0) {
      try {
        closeSync(openSync(this.pipe, constants.O_WRONLY | constants.O_NONBLOCK));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENXIO') throw error;
      }
      await sleep(5);
    }
  }

  remove(): Promise<void> {
    return rm(this.directory, { recursive: true });
  }

  /** Opening a pipe without a writer blocks the thread that opens it. */
  private async block(): Promise<void> {
    this.waiting += 1;
    const handle = await open(this.pipe, constants.O_RDONLY);
    this.waiting -= 1;
    await handle.close();
  }
}
