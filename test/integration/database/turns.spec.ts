import { DataSource } from 'typeorm';
import { ANONYMOUS, type Identity } from '#kernel/context/identity';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { SystemClock } from '#infra/clock/system-clock';
import { dataSourceOptions } from '#infra/database/data-source-options';
import { poolOf } from '#infra/database/pool/turn-manager';
import { Transactions } from '#infra/database/transactions';
import { createTestDatabase, type TestDatabase } from '../../support/app/test-database';

const ctx: RequestContext = { requestId: 'r', sourceIp: '192.0.2.1', identity: ANONYMOUS, clock: new SystemClock() };
const tokenOf = (organizationId: string): Identity => ({
  kind: 'project-token',
  tokenId: 't',
  tokenName: 'CI',
  organizationId,
  projectId: 'p',
  role: 'UPLOAD_BUILD',
});
const hot: RequestContext = { ...ctx, identity: tokenOf('hot') };
const SHARE = 3;

describe('the turn of a context', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let transactions: Transactions;
  beforeAll(async () => {
    database = await createTestDatabase();
    dataSource = await new DataSource(dataSourceOptions(database.url, 10)).initialize();
    transactions = new Transactions(dataSource);
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const read = (from: RequestContext): Promise<unknown> => transactions.manager(from).query('SELECT 1');
  /** Lets transactions of the organization hold its share until the returned function is called. */
  const fill = async (): Promise<() => Promise<void>> => {
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const begun: Promise<unknown>[] = [];
    const held = Array.from({ length: SHARE }, () =>
      transactions.run(hot, async (tx) => {
        begun.push(read(tx));
        await ended;
      }),
    );
    while (begun.length < SHARE) await new Promise((resolve) => setImmediate(resolve));
    await Promise.all(begun);
    return async () => {
      end();
      await Promise.all(held);
    };
  };

  // red when: a way to the database takes its connection without the turn of its context
  it.each<[string, () => Promise<unknown>]>([
    ['a statement', () => read(hot)],
    ['a transaction', () => transactions.run(hot, read)],
    [
      'a query of TypeORM',
      () => transactions.manager(hot).createQueryBuilder().select('1').from('(SELECT 1 AS one)', 'some').getRawMany(),
    ],
  ])('makes %s wait while its organization holds its share, but not those of others', async (_, work) => {
    const empty = await fill();
    const waiting = work();
    await read({ ...ctx, identity: tokenOf('other') });
    await read(ctx);
    expect(poolOf(dataSource).waiting).toBe(1);
    await empty();
    await waiting;
    expect(poolOf(dataSource).waiting).toBe(0);
  });

  // red when: the error is wrapped as an error of PostgreSQL, which would be a 500
  it('throws the reason of an aborted signal to a heavy statement, which takes no connection', async () => {
    const empty = await fill();
    const gone = new AbortController();
    const reason = new AppError('operation_not_allowed');
    const left = { ...hot, signal: gone.signal };
    const heavy = { ...left, isHeavy: true } as const;
    const waiting = [read(heavy), transactions.run(heavy, read)].map((work) => work.catch((error: unknown) => error));
    const light = read(left);
    await read(ctx);
    expect(poolOf(dataSource).waiting).toBe(3);
    gone.abort(reason);
    expect(await Promise.all(waiting)).toEqual([reason, reason]);
    expect(poolOf(dataSource).waiting).toBe(1);
    await empty();
    await light;
  });
});
