import { type Identity } from '#kernel/context/identity';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { type ErrorCase } from '#kernel/errors/catalogue';
import { newId } from '#kernel/ids';
import { databaseErrorToAppError } from '#infra/database/database-errors';
import { BillingService, type Reservation } from '#modules/billing';
import { TestApp } from '../../support/app/test-app';

const LIMIT = 40;

/** On two instances of the service with one database. */
describe('a reservation', () => {
  let apps: [TestApp, TestApp];
  let billing: [BillingService, BillingService];
  let organizationId: string;

  beforeAll(async () => {
    const environment = { MAX_OPEN_RESERVATIONS: String(LIMIT) };
    // Without a worker, because nothing here may depend on a job.
    const app = await TestApp.start({ environment, worker: false });
    apps = [app, await TestApp.start({ environment, worker: false, beside: app })];
    billing = [apps[0].nest.get(BillingService), apps[1].nest.get(BillingService)];
    organizationId = newId();
    await app.sql('INSERT INTO organization (id, name, created_at) VALUES ($1, $2, now())', [organizationId, 'Acme']);
    await billing[0].openAccount(as(newId()), organizationId);
  });
  afterAll(async () => {
    await apps[1].stop();
    await apps[0].stop();
  });

  /** A context of another caller for each test, because open reservations are counted per caller. */
  const as = (tokenId: string): RequestContext => {
    const identity: Identity = {
      kind: 'project-token',
      tokenId,
      tokenName: 'CI',
      organizationId,
      projectId: organizationId,
      role: 'UPLOAD_BUILD',
    };
    return { requestId: 'request-1', sourceIp: null, identity, clock: apps[0].clock };
  };
  const request = (sizeBytes = 1000) => ({ organizationId, kind: 'upload', sizeBytes }) as const;
  const either = (n: number): BillingService => billing[n % 2]!;

  const openOf = async (tokenId: string): Promise<number> => {
    const [row] = await apps[0].sql<{ open: number }>(
      `SELECT count(*)::int AS open FROM reservation WHERE principal = $1 AND state = 'active' AND expires_at > app_now()`,
      [`project-token:${tokenId}`],
    );
    return row!.open;
  };

  /** Retries when the pool has no free connection in time, as on a busy machine. */
  const reserve = async (n: number, ctx: RequestContext): Promise<Reservation | ErrorCase> => {
    for (;;) {
      try {
        return await either(n).reserve(ctx, request());
      } catch (error) {
        const { errorCase } = error instanceof AppError ? error : (databaseErrorToAppError(error) ?? raise(error));
        if (errorCase !== 'storage_backend_unavailable') return errorCase;
      }
    }
  };

  const reserveMany = async (ctx: RequestContext, count: number) => {
    const outcomes = await Promise.all(Array.from({ length: count }, (_, n) => reserve(n, ctx)));
    return {
      admitted: outcomes.filter((outcome) => typeof outcome !== 'string'),
      rejected: outcomes.filter((outcome) => typeof outcome === 'string'),
    };
  };

  // red when: reserve does not lock the caller, so that the count misses concurrent reservations
  it('is admitted exactly up to the limit when 200 calls run concurrently on two instances', async () => {
    for (let round = 0; round < 3; round++) {
      const tokenId = newId();
      const { admitted, rejected } = await reserveMany(as(tokenId), 200);
      expect(admitted).toHaveLength(LIMIT);
      expect(rejected).toEqual(Array<string>(200 - LIMIT).fill('quota_exceeded'));
      expect(await openOf(tokenId)).toBe(LIMIT);
    }
  });

  it('counts against the limit of its own project access token only', async () => {
    const [one, two] = [newId(), newId()];
    await reserveMany(as(one), LIMIT);
    await expect(billing[0].reserve(as(one), request())).rejects.toMatchObject({
      errorCase: 'quota_exceeded',
      details: { quota: 'open_reservations', limit: LIMIT },
    });
    await expect(billing[1].reserve(as(two), request())).resolves.toMatchObject({ id: expect.any(String) as string });
  });

  // red when: resolve does not check for state = 'active'
  it('is resolved once when 50 calls settle and release it concurrently', async () => {
    const ctx = as(newId());
    for (let round = 0; round < 5; round++) {
      const { id } = await billing[0].reserve(ctx, request());
      const results = await Promise.all(
        Array.from({ length: 50 }, (_, n) => (n % 3 === 0 ? either(n).release(ctx, id) : either(n).settle(ctx, id, n))),
      );
      const winners = results.flatMap((resolved, n) => (resolved ? [n] : []));
      expect(winners).toHaveLength(1);
      const [row] = await apps[0].sql('SELECT state, actual_bytes FROM reservation WHERE id = $1', [id]);
      const [winner] = winners as [number];
      expect(row).toEqual(
        winner % 3 === 0
          ? { state: 'released', actual_bytes: null }
          : { state: 'settled', actual_bytes: String(winner) },
      );
    }
  });

  it('no longer counts against the limit after it is settled or released', async () => {
    const ctx = as(newId());
    const { admitted } = await reserveMany(ctx, LIMIT);
    await billing[0].settle(ctx, admitted[0]!.id, 1);
    await billing[1].release(ctx, admitted[1]!.id);
    const again = await reserveMany(ctx, 10);
    expect(again.admitted).toHaveLength(2);
  });

  // red when: reserve counts expired reservations, which then block the caller until the job runs
  it('expires after 30 minutes unless it is extended, without a job', async () => {
    const [idle, busy] = [newId(), newId()];
    await reserveMany(as(idle), LIMIT);
    const { admitted } = await reserveMany(as(busy), LIMIT);
    await apps[0].clock.advance({ minutes: 29 });
    await Promise.all(admitted.map(({ id }) => billing[0].extend(as(busy), id)));
    await expect(billing[0].reserve(as(idle), request())).rejects.toMatchObject({ errorCase: 'quota_exceeded' });

    await apps[0].clock.advance({ minutes: 2 });
    expect((await reserveMany(as(idle), 2 * LIMIT)).admitted).toHaveLength(LIMIT);
    await expect(billing[1].reserve(as(busy), request())).rejects.toMatchObject({ errorCase: 'quota_exceeded' });
  });

  it('can be settled after it has expired', async () => {
    const ctx = as(newId());
    const { id } = await billing[0].reserve(ctx, request());
    await apps[0].clock.advance({ minutes: 31 });
    expect(await billing[1].settle(ctx, id, 7)).toBe(true);
  });

  // red when: the job expires reservations that have time left, or none
  it('is marked as expired by the job, and not before', async () => {
    const ctx = as(newId());
    const [late, early] = [await billing[0].reserve(ctx, request()), await billing[0].reserve(ctx, request())];
    await apps[0].clock.advance({ minutes: 20 });
    await billing[0].extend(ctx, late.id);
    await apps[0].clock.advance({ minutes: 11 });
    const worker = await TestApp.start({ beside: apps[0] });
    try {
      await worker.runsJob('billing.release-expired');
    } finally {
      await worker.stop();
    }
    const rows = await apps[0].sql('SELECT id, state FROM reservation WHERE id = ANY($1)', [[late.id, early.id]]);
    expect(rows).toEqual(
      expect.arrayContaining([
        { id: late.id, state: 'active' },
        { id: early.id, state: 'expired' },
      ]),
    );
    expect(await apps[0].sql(`SELECT FROM reservation WHERE state = 'active' AND expires_at <= app_now()`)).toEqual([]);
  });
});

function raise(error: unknown): never {
  throw error;
}
