import { randomBytes, randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { ANONYMOUS } from '#kernel/context/identity';
import { type RequestContext } from '#kernel/context/request-context';
import { type RateLimitConfig } from '#infra/config/config';
import { Sealer } from '#infra/crypto/sealer';
import { dataSourceOptions } from '#infra/database/data-source-options';
import { Transactions } from '#infra/database/transactions';
import { IdempotencyRepository } from '#infra/idempotency/idempotency.repository';
import { type Attempt, IdempotencyService } from '#infra/idempotency/idempotency.service';
import { type IdempotencyScope as Scope } from '#infra/idempotency/idempotency-scope';
import { type Jobs } from '#infra/jobs/jobs';
import { TestClock } from '../../support/app/test-clock';
import { createTestDatabase, type TestDatabase } from '../../support/app/test-database';
import { until } from '../../support/until';

let database: TestDatabase;
let dataSource: DataSource;
let transactions: Transactions;
let clock: TestClock;
let ctx: RequestContext;
let idempotency: IdempotencyService;
const keys = [{ id: 'k1', secret: randomBytes(32) }];

beforeAll(async () => {
  database = await createTestDatabase();
  // The owner role, because this spec creates a table.
  dataSource = await new DataSource(dataSourceOptions(database.ownerUrl, 10)).initialize();
  transactions = new Transactions(dataSource);
  clock = new TestClock(database.ownerUrl);
  ctx = { requestId: 'request-1', sourceIp: null, identity: ANONYMOUS, clock };
  const repository = new IdempotencyRepository(transactions);
  const config = { storedResponseBytes: 1_000_000 } as RateLimitConfig;
  idempotency = new IdempotencyService(repository, transactions, new Sealer(keys), config, {} as Jobs);
  await dataSource.query('CREATE TABLE effect (scope text)');
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

const newScope = (): Scope => {
  const name = randomUUID();
  return { id: Buffer.from(name), owner: Buffer.from(name), fingerprint: Buffer.from('asked'), sealContext: name };
};

/** Claims the key. Fails on a replay. */
const claimed = async (scope: Scope): Promise<Attempt> => {
  const admission = await idempotency.admit(ctx, scope);
  if (!('attempt' in admission)) throw new Error('unexpected replay');
  return admission.attempt;
};

const answer = (body: string) => ({ status: 201, body });

const makesEffect = (attempt: Attempt, scope: Scope, body: string): Promise<unknown> =>
  attempt.commit(
    ctx,
    (tx) => transactions.manager(tx).query('INSERT INTO effect VALUES ($1)', [scope.sealContext]),
    () => answer(body),
  );

const effectsOf = async ({ sealContext }: Scope): Promise<number> => {
  const rows: unknown[] = await dataSource.query('SELECT FROM effect WHERE scope = $1', [sealContext]);
  return rows.length;
};

const LEASE_OVER = { seconds: 31 };

describe('IdempotencyService', () => {
  // red when: `finish` does not compare the attempt
  it('rolls back an attempt that lost its lease to another attempt', async () => {
    const scope = newScope();
    const [slow, other] = [await claimed(scope), await clock.advance(LEASE_OVER).then(() => claimed(scope))];
    await makesEffect(other, scope, 'the other');
    await expect(makesEffect(slow, scope, 'the slow one')).rejects.toMatchObject({
      errorCase: 'already_exists',
      details: { reason: 'idempotency_in_flight' },
    });
    await slow.release(ctx);
    expect(await effectsOf(scope)).toBe(1);
    expect(await idempotency.admit(ctx, scope)).toEqual({ replay: answer('the other') });
    [slow, other].forEach((attempt) => attempt.stop());
  });

  // red when: `finish` is not in the transaction of the effect
  it('stores both the response and the effect, or neither', async () => {
    const scope = newScope();
    const attempt = await claimed(scope);
    const broken = attempt.commit(
      ctx,
      (tx) => transactions.manager(tx).query('INSERT INTO effect VALUES ($1)', [scope.sealContext]),
      () => {
        throw new Error('no answer');
      },
    );
    await expect(broken).rejects.toThrow('no answer');
    expect(await effectsOf(scope)).toBe(0);
    await attempt.release(ctx);
    await makesEffect(await claimed(scope), scope, 'again');
    expect(await effectsOf(scope)).toBe(1);
  });

  // red when: the lease is not renewed, or is still renewed after `stop`
  it('renews the lease of a running attempt', async () => {
    const renewals: (() => void)[] = [];
    const setting = jest.spyOn(global, 'setInterval').mockImplementation(((renew: () => void, ms: number) => {
      renewals.push(renew);
      expect(ms).toBeLessThan(30_000);
      return { unref: () => undefined };
    }) as never);
    const scope = newScope();
    const attempt = await claimed(scope).finally(() => setting.mockRestore());
    const leasedUntil = async (): Promise<number> => {
      const [row] = await dataSource.query<{ leased_until: Date }[]>(
        'SELECT leased_until FROM idempotency_record WHERE id = $1',
        [scope.id],
      );
      return row!.leased_until.getTime();
    };
    for (let round = 0; round < 3; round++) {
      await clock.advance({ seconds: 20 });
      const before = await leasedUntil();
      renewals.forEach((renew) => renew());
      await until(async () => (await leasedUntil()) !== before);
    }
    // A minute has passed. A repeated request waits and does not take over.
    const waiting = idempotency.admit(ctx, scope);
    await makesEffect(attempt, scope, 'the first');
    expect(await waiting).toEqual({ replay: answer('the first') });
    expect(await effectsOf(scope)).toBe(1);
  });

  // red when: `stop` does not end the renewal
  it('stops the renewal when the attempt stops', async () => {
    const ending = jest.spyOn(global, 'clearInterval');
    const attempt = await claimed(newScope());
    attempt.stop();
    expect(ending).toHaveBeenCalledTimes(1);
    ending.mockRestore();
  });

  // red when: the limit of stored responses applies to a key that has a response or a running attempt
  it('replays and takes over existing keys when the owner is over the limit', async () => {
    const { owner } = newScope();
    const [dead, waited] = [newScope(), newScope()].map((scope) => ({ ...scope, owner })) as [Scope, Scope];
    (await claimed(dead)).stop();
    await clock.advance(LEASE_OVER);
    const living = await claimed(waited);
    const full = { ...newScope(), owner };
    await makesEffect(await claimed(full), full, 'x'.repeat(1_000_000));
    await expect(idempotency.admit(ctx, { ...newScope(), owner })).rejects.toMatchObject({
      errorCase: 'rate_limit_exceeded',
    });
    const waiting = idempotency.admit(ctx, waited);
    await makesEffect(living, waited, 'the first');
    expect(await waiting).toEqual({ replay: answer('the first') });
    await makesEffect(await claimed(dead), dead, 'the second attempt');
    expect(await effectsOf(dead)).toBe(1);
  });

  // red when: a claim is taken over without comparing the fingerprint
  it('rejects another request with the key of an expired claim', async () => {
    const scope = newScope();
    (await claimed(scope)).stop();
    await clock.advance(LEASE_OVER);
    const another = { ...scope, fingerprint: Buffer.from('asked for more') };
    await expect(idempotency.admit(ctx, another)).rejects.toMatchObject({
      errorCase: 'invalid_input',
      details: { reason: 'idempotency_key_reused' },
    });
  });

  // red when: responses are sealed without their context
  it('opens a stored response only with its key and only when it is unchanged', async () => {
    const [mine, theirs] = [newScope(), newScope()];
    await makesEffect(await claimed(mine), mine, 'mine');
    await makesEffect(await claimed(theirs), theirs, 'theirs');
    await dataSource.query(
      `UPDATE idempotency_record AS r SET answer = other.answer FROM idempotency_record AS other
       WHERE r.id = $1 AND other.id = $2`,
      [mine.id, theirs.id],
    );
    await expect(idempotency.admit(ctx, mine)).rejects.toThrow();
    await dataSource.query(
      `UPDATE idempotency_record SET answer = set_byte(answer, length(answer) - 1, get_byte(answer, length(answer) - 1) # 1)
       WHERE id = $1`,
      [theirs.id],
    );
    await expect(idempotency.admit(ctx, theirs)).rejects.toThrow();
  });

  // red when: `prune` deletes younger records, or none
  it('forgets responses after 24 hours, with or without `prune`', async () => {
    const scope = newScope();
    const repository = new IdempotencyRepository(transactions);
    await makesEffect(await claimed(scope), scope, 'first');
    await clock.advance({ hours: 23, minutes: 59 });
    await repository.prune(ctx);
    expect(await idempotency.admit(ctx, scope)).toEqual({ replay: answer('first') });
    await clock.advance({ minutes: 2 });
    await makesEffect(await claimed(scope), scope, 'second');
    expect(await effectsOf(scope)).toBe(2);
    await clock.advance({ hours: 24, minutes: 1 });
    await repository.prune(ctx);
    expect(await repository.find(ctx, scope.id)).toBeNull();
  });
});
