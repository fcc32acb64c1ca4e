import { DataSource } from 'typeorm';
import { ANONYMOUS } from '#kernel/context/identity';
import { type RequestContext } from '#kernel/context/request-context';
import { newId } from '#kernel/ids';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { SystemClock } from '#infra/clock/system-clock';
import { dataSourceOptions } from '#infra/database/data-source-options';
import { Transactions } from '#infra/database/transactions';
import { createTestDatabase, type TestDatabase } from '../../support/app/test-database';

const ctx: RequestContext = { requestId: 'request-1', sourceIp: null, identity: ANONYMOUS, clock: new SystemClock() };
const event = { type: 'organization.created', organizationId: newId(), payload: { name: 'Acme' } } as const;

let database: TestDatabase;
let dataSource: DataSource;
let transactions: Transactions;

beforeAll(async () => {
  database = await createTestDatabase();
  // As the owner, to create a table.
  dataSource = await new DataSource(dataSourceOptions(database.ownerUrl, 10)).initialize();
  transactions = new Transactions(dataSource);
  await dataSource.query('CREATE TABLE counter (id int PRIMARY KEY, value int NOT NULL DEFAULT 0)');
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});
beforeEach(async () => {
  await dataSource.query('TRUNCATE counter');
  await dataSource.query('INSERT INTO counter VALUES (1), (2)');
});

const add = (tx: RequestContext, id: number): Promise<unknown> =>
  transactions.manager(tx).query('UPDATE counter SET value = value + 1 WHERE id = $1', [id]);

const values = async (): Promise<number[]> =>
  (await dataSource.query<{ value: number }[]>('SELECT value FROM counter ORDER BY id')).map(({ value }) => value);

const transactionId = async (tx: RequestContext): Promise<string> =>
  (await transactions.manager(tx).query<[{ id: string }]>('SELECT pg_current_xact_id()::text AS id'))[0].id;

const fail = (tx: RequestContext, sqlState: string): Promise<unknown> =>
  transactions.manager(tx).query(`DO $$ BEGIN RAISE EXCEPTION 'forced' USING ERRCODE = '${sqlState}'; END $$`);

describe('Transactions', () => {
  it('commits and returns the result of the work', async () => {
    expect(await transactions.run(ctx, (tx) => add(tx, 1).then(() => 'done'))).toBe('done');
    expect(await values()).toEqual([1, 0]);
  });

  // red when: `run` opens a transaction although the context carries one
  it('joins the transaction that the context carries: one commit, one rollback', async () => {
    await transactions.run(ctx, async (outer) => {
      const inner = await transactions.run(outer, transactionId);
      expect(inner).toBe(await transactionId(outer));
    });
    const broken = transactions.run(ctx, async (outer) => {
      await transactions.run(outer, (inner) => add(inner, 1));
      throw new Error('after the inner one');
    });
    await expect(broken).rejects.toThrow('after the inner one');
    expect(await values()).toEqual([0, 0]);
  });

  it('rolls back work that throws and releases its connection', async () => {
    for (let round = 0; round < 15; round++) {
      const broken = transactions.run(ctx, async (tx) => {
        await add(tx, 1);
        throw new Error(`round ${round}`);
      });
      await expect(broken).rejects.toThrow(`round ${round}`);
    }
    expect(await values()).toEqual([0, 0]);
  });

  // red when: the connection is not in a transaction after its first statement failed, or stays in one
  it('rolls back after its first statement fails, and its connection serves the next transaction', async () => {
    for (let round = 0; round < 15; round++) {
      const broken = transactions.run(ctx, (tx) =>
        transactions.manager(tx).query('INSERT INTO counter VALUES (3), ($1)', [1]),
      );
      await expect(broken).rejects.toMatchObject({ driverError: { code: '23505' } });
      await transactions.run(ctx, (tx) => add(tx, 1));
    }
    expect(await values()).toEqual([15, 0]);
  });

  // red when: a transaction without statements leaves a BEGIN behind for the next user of its connection
  it('leaves nothing behind when the work sends no statement', async () => {
    for (let round = 0; round < 15; round++) await transactions.run(ctx, () => Promise.resolve());
    await Promise.all(Array.from({ length: 15 }, () => dataSource.query('UPDATE counter SET value = value + $1', [1])));
    const other = new DataSource(dataSourceOptions(database.ownerUrl, 1));
    await other.initialize();
    expect(await other.query('SELECT sum(value)::int AS sum FROM counter')).toEqual([{ sum: 30 }]);
    await other.destroy();
  });

  // red when: `isRetryable` knows only one of the two
  it.each(['40001', '40P01'])('retries the whole work after %s in a new transaction', async (sqlState) => {
    const seen = new Set<string>();
    await transactions.run(ctx, async (tx) => {
      seen.add(await transactionId(tx));
      await add(tx, 1);
      if (seen.size < 4) await fail(tx, sqlState);
    });
    expect(seen.size).toBe(4);
    expect(await values()).toEqual([1, 0]);
  });

  // red when: a transaction locks again what it holds, or takes for held what an earlier transaction held
  it('takes the advisory locks that it does not hold yet, with one statement', async () => {
    const locksOf = (...calls: string[][]): Promise<unknown[]> =>
      transactions.run(ctx, async (tx) => {
        const query = jest.spyOn(transactions.manager(tx), 'query');
        for (const keys of calls) await transactions.advisoryLock(tx, ...keys);
        return query.mock.calls.map(([, values]) => values);
      });
    expect(await locksOf(['a', 'b'], ['b'], ['b', 'c'])).toEqual([['a', 'b'], ['c']]);
    expect(await locksOf(['c'])).toEqual([['c']]);
  });

  it('fails after four attempts', async () => {
    let attempts = 0;
    const hopeless = transactions.run(ctx, (tx) => {
      attempts += 1;
      return fail(tx, '40001');
    });
    await expect(hopeless).rejects.toMatchObject({ driverError: { code: '40001' } });
    expect(attempts).toBe(4);
  });

  it.each(['23505', '57014', '08006', 'P0001'])('does not retry after %s', async (sqlState) => {
    let attempts = 0;
    const once = transactions.run(ctx, (tx) => {
      attempts += 1;
      return fail(tx, sqlState);
    });
    await expect(once).rejects.toMatchObject({ driverError: { code: sqlState } });
    expect(attempts).toBe(1);
  });

  it('retries the outermost work when an inner one has a serialization failure', async () => {
    let attempts = 0;
    await transactions.run(ctx, async (outer) => {
      attempts += 1;
      await add(outer, 2);
      await transactions.run(outer, (inner) => (attempts === 1 ? fail(inner, '40001') : add(inner, 1)));
    });
    expect(attempts).toBe(2);
    expect(await values()).toEqual([1, 1]);
  });

  // red when: MAX_ATTEMPTS is 1
  it('lets both sides of a real deadlock succeed', async () => {
    const bothHaveOne = barrier(2);
    const inOrder = (first: number, second: number): Promise<void> => {
      let met = false;
      return transactions.run(ctx, async (tx) => {
        await add(tx, first);
        if (!met) await bothHaveOne();
        met = true;
        await add(tx, second);
      });
    };
    await Promise.all([inOrder(1, 2), inOrder(2, 1)]);
    expect(await values()).toEqual([2, 2]);
  });

  // red when: advisoryLock takes no lock
  it('makes transactions with one advisory lock see what earlier holders committed', async () => {
    const insertUpTo = (limit: number): Promise<void> =>
      transactions.run(ctx, async (tx) => {
        await transactions.advisoryLock(tx, 'counter');
        await transactions
          .manager(tx)
          .query(`INSERT INTO counter SELECT coalesce(max(id), 0) + 1 FROM counter HAVING count(*) < $1`, [limit]);
      });
    await Promise.all(Array.from({ length: 40 }, () => insertUpTo(20)));
    expect(await values()).toHaveLength(20);
  });
});

describe('AuditRecorder', () => {
  const audit = (): AuditRecorder => new AuditRecorder(transactions);
  const events = (): Promise<{ id: string }[]> => dataSource.query('SELECT id FROM audit_event');

  // red when: the recorder uses the pool's connection outside a transaction
  it('rejects an event outside the transaction of its change', async () => {
    await expect(audit().record(ctx, event)).rejects.toMatchObject({ errorCase: 'internal_error' });
    expect(await events()).toEqual([]);
  });

  it('commits the event together with the change', async () => {
    const broken = transactions.run(ctx, async (tx) => {
      await audit().record(tx, event);
      throw new Error('the change failed');
    });
    await expect(broken).rejects.toThrow('the change failed');
    expect(await events()).toEqual([]);
    await transactions.run(ctx, (tx) => audit().record(tx, event));
    expect(await events()).toHaveLength(1);
  });

  // red when: migration 1763668840000 creates no trigger (seen with `ALTER TABLE audit_event DISABLE TRIGGER ALL`)
  it.each([
    ['UPDATE', `UPDATE audit_event SET type = 'nothing.happened'`],
    ['DELETE', 'DELETE FROM audit_event'],
    ['TRUNCATE', 'TRUNCATE audit_event'],
    ['TRUNCATE of a month', 'TRUNCATE audit_event_default'],
    ['MERGE', 'MERGE INTO audit_event a USING audit_event b ON a.id = b.id WHEN MATCHED THEN DELETE'],
  ])('keeps the audit feed append-only: the database rejects %s, even from a superuser', async (_name, statement) => {
    await transactions.run(ctx, (tx) => audit().record(tx, event));
    const before = await dataSource.query<unknown[]>('SELECT * FROM audit_event ORDER BY id');
    await expect(dataSource.query(statement)).rejects.toMatchObject({ driverError: { code: '42501' } });
    expect(await dataSource.query('SELECT * FROM audit_event ORDER BY id')).toEqual(before);
  });

  it('rejects an upsert that changes a recorded event', async () => {
    await transactions.run(ctx, (tx) => audit().record(tx, event));
    const before = await dataSource.query<unknown[]>('SELECT * FROM audit_event ORDER BY id');
    const upsert = `INSERT INTO audit_event SELECT * FROM audit_event ON CONFLICT (id, time) DO UPDATE SET type = 'nothing.happened'`;
    await expect(dataSource.query(upsert)).rejects.toMatchObject({ driverError: { code: '23505' } });
    expect(await dataSource.query('SELECT * FROM audit_event ORDER BY id')).toEqual(before);
  });
});

/** A barrier: resolves for all callers after `count` calls. */
function barrier(count: number): () => Promise<void> {
  let open: () => void;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return () => {
    count -= 1;
    if (count === 0) open();
    return opened;
  };
}
