import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { type RequestContext } from '#kernel/context/request-context';
import { newId } from '#kernel/ids';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { Transactions } from '#infra/database/transactions';
import { AuditChainService } from '#modules/audit';
import { TestApp } from '../../support/app/test-app';

let app: TestApp;
let chain: AuditChainService;
let ctx: RequestContext;

beforeAll(async () => {
  app = await TestApp.start({ environment: { DATABASE_POOL_SIZE: '16' } });
  chain = app.nest.get(AuditChainService);
  ctx = { requestId: 'request-1', sourceIp: '203.0.113.7', identity: { kind: 'anonymous' }, clock: app.clock };
});
afterAll(() => app.stop());

/** Records one event per organization, in this order, in one transaction. */
const record = (...organizationIds: (string | null)[]): Promise<void> =>
  app.nest.get(Transactions).run(ctx, async (tx) => {
    for (const organizationId of organizationIds) {
      const payload = { name: 'Ä "quoted"\n\u001b[31m<script>', size_bytes: 12345678901, ratio: 0.1, none: null };
      await app.nest.get(AuditRecorder).record(tx, { type: 'project.created', organizationId, payload });
    }
  });

const recordMany = async (organizationId: string, count: number): Promise<void> => {
  for (let left = count; left > 0; left -= 1) await record(organizationId);
};

/** Verifies a chain without faults and returns the number of its events. */
const verifiedEvents = async (organizationId: string | null): Promise<number> => {
  const { fault, events, head, anchor } = await chain.verify(ctx, organizationId);
  expect(fault).toBeNull();
  expect(head.position - anchor.position).toBe(BigInt(events));
  return events;
};

describe('an audit chain', () => {
  // red when: the head is read without FOR UPDATE, so that a position is used twice
  it('has no gap and no wrong hash when many transactions record at the same time', async () => {
    const [one, ...many] = Array.from({ length: 17 }, newId);
    await Promise.all(many.map(() => recordMany(one!, 40)));
    await Promise.all(many.map((organizationId) => recordMany(organizationId, 20)));
    expect(await verifiedEvents(one!)).toBe(640);
    for (const organizationId of many) expect(await verifiedEvents(organizationId)).toBe(20);
  });

  // red when: chains are locked in the order in which their events were recorded
  it('causes no deadlock between transactions that record in several chains', async () => {
    const [a, b] = [newId(), newId()];
    const insert = `INSERT INTO audit_event (id, organization_id, type, actor_kind, request_id, payload, time)
      SELECT gen_random_uuid(), id, 'member.removed', 'system', 'x', '{}', now() FROM unnest($1::uuid[]) AS id`;
    await Promise.all(
      Array.from({ length: 8 }, async (_, writer) => {
        // Without Transactions.run, which would retry after a deadlock.
        const client = new Client({ connectionString: app.database.url });
        await client.connect();
        for (let round = 0; round < 40; round++) await client.query(insert, [writer % 2 ? [a, b] : [b, a]]);
        await client.end();
      }),
    );
    expect([await verifiedEvents(a), await verifiedEvents(b)]).toEqual([320, 320]);
  });

  // red when: an event gets its position when it is recorded instead of at commit
  it('does not block other transactions while a transaction that has recorded is open', async () => {
    const organizationId = newId();
    await app.nest.get(Transactions).run(ctx, async (tx) => {
      await app.nest
        .get(AuditRecorder)
        .record(tx, { type: 'project.created', organizationId, payload: { slow: true } });
      await record(organizationId);
    });
    const rows = await app.sql(
      `SELECT payload -> 'slow' AS slow FROM audit_event WHERE organization_id = $1 ORDER BY position`,
      [organizationId],
    );
    expect(rows).toEqual([{ slow: null }, { slow: true }]);
    expect(await verifiedEvents(organizationId)).toBe(2);
  });

  it('has no events of a transaction that was rolled back', async () => {
    const organizationId = newId();
    const broken = app.nest.get(Transactions).run(ctx, async (tx) => {
      await app.nest.get(AuditRecorder).record(tx, { type: 'project.created', organizationId, payload: {} });
      throw new Error('rolled back');
    });
    await expect(broken).rejects.toThrow('rolled back');
    await record(organizationId);
    expect(await verifiedEvents(organizationId)).toBe(1);
    expect(await app.sql('SELECT FROM audit_intake')).toEqual([]);
  });

  // red when: audit_take_in accepts the position of an INSERT
  it('ignores the position that an INSERT provides', async () => {
    const organizationId = newId();
    await app.sql(
      `INSERT INTO audit_event (id, organization_id, type, actor_kind, request_id, payload, time, position, hash)
       VALUES (gen_random_uuid(), $1, 'member.removed', 'system', 'x', '{}', now(), 99, 'x')`,
      [organizationId],
    );
    expect(await verifiedEvents(organizationId)).toBe(1);
  });

  it('is intact when it has no events', async () => expect(await verifiedEvents(newId())).toBe(0));

  it('accepts an event of a month without a partition', async () => {
    const organizationId = newId();
    const at = (time: string): RequestContext => ({ ...ctx, clock: { now: () => new Date(time) } });
    for (const time of ['1999-01-01T00:00:00Z', '2077-07-07T00:00:00Z']) {
      await app.nest
        .get(Transactions)
        .run(at(time), (tx) =>
          app.nest.get(AuditRecorder).record(tx, { type: 'project.created', organizationId, payload: {} }),
        );
    }
    expect(await verifiedEvents(organizationId)).toBe(2);
    expect(await app.sql('SELECT FROM audit_event_default WHERE organization_id = $1', [organizationId])).toHaveLength(
      2,
    );
  });
});

describe('AuditChainService.verify', () => {
  /** Changes the tables as the owner of the database, without triggers. */
  const tamper = async (...statements: string[]): Promise<void> => {
    const client = new Client({ connectionString: app.database.ownerUrl });
    await client.connect();
    await client.query('SET session_replication_role = replica');
    for (const statement of statements) await client.query(statement);
    await client.end();
  };
  const COLUMNS =
    'organization_id, project_id, type, actor_kind, actor_id, actor_label, source_ip, request_id, payload, time';

  // red when: the hash does not cover a field, or the last event is not compared with the head of the chain
  it.each<[string, (where: string) => string[], string, bigint]>([
    ['a changed payload', (w) => [`UPDATE audit_event SET payload = '{}' WHERE position = 4 AND ${w}`], 'altered', 4n],
    [
      'a changed type',
      (w) => [`UPDATE audit_event SET type = 'build.deleted' WHERE position = 4 AND ${w}`],
      'altered',
      4n,
    ],
    [
      'a changed actor',
      (w) => [`UPDATE audit_event SET actor_id = '${randomUUID()}' WHERE position = 4 AND ${w}`],
      'altered',
      4n,
    ],
    [
      'a changed label',
      (w) => [`UPDATE audit_event SET actor_label = 'Eve' WHERE position = 4 AND ${w}`],
      'altered',
      4n,
    ],
    [
      'a changed address',
      (w) => [`UPDATE audit_event SET source_ip = '::1' WHERE position = 4 AND ${w}`],
      'altered',
      4n,
    ],
    [
      'a removed address',
      (w) => [`UPDATE audit_event SET source_ip = NULL WHERE position = 4 AND ${w}`],
      'altered',
      4n,
    ],
    [
      'a changed request id',
      (w) => [`UPDATE audit_event SET request_id = 'x' WHERE position = 4 AND ${w}`],
      'altered',
      4n,
    ],
    ['a changed project', (w) => [`UPDATE audit_event SET project_id = id WHERE position = 4 AND ${w}`], 'altered', 4n],
    [
      'a changed time',
      (w) => [`UPDATE audit_event SET time = time - interval '1 ms' WHERE position = 4 AND ${w}`],
      'altered',
      4n,
    ],
    ['a changed hash', (w) => [`UPDATE audit_event SET hash = sha256('x') WHERE position = 4 AND ${w}`], 'altered', 4n],
    ['a deleted event', (w) => [`DELETE FROM audit_event WHERE position = 4 AND ${w}`], 'missing', 4n],
    ['the first event deleted', (w) => [`DELETE FROM audit_event WHERE position = 1 AND ${w}`], 'missing', 1n],
    ['the last events deleted', (w) => [`DELETE FROM audit_event WHERE position > 5 AND ${w}`], 'missing', 6n],
    ['all events deleted', (w) => [`DELETE FROM audit_event WHERE ${w}`], 'missing', 1n],
    [
      'two swapped events',
      (w) => [
        `UPDATE audit_event SET position = CASE position WHEN 3 THEN 4 ELSE 3 END WHERE position IN (3, 4) AND ${w}`,
      ],
      'altered',
      3n,
    ],
    [
      'a deletion with renumbered positions',
      (w) => [
        `DELETE FROM audit_event WHERE position = 3 AND ${w}`,
        `UPDATE audit_event SET position = position - 1 WHERE position > 3 AND ${w}`,
      ],
      'altered',
      3n,
    ],
    [
      'an event inserted at an existing position',
      (w) => [
        `INSERT INTO audit_event (id, ${COLUMNS}, position, hash)
        SELECT 'ffffffff-ffff-7fff-bfff-ffffffffffff', ${COLUMNS}, position, hash FROM audit_event WHERE position = 4 AND ${w}`,
      ],
      'inserted',
      4n,
    ],
    [
      'an event inserted before the first',
      (w) => [
        `INSERT INTO audit_event (id, ${COLUMNS}, position, hash)
        SELECT gen_random_uuid(), ${COLUMNS}, 0, hash FROM audit_event WHERE position = 4 AND ${w}`,
      ],
      'inserted',
      0n,
    ],
    [
      'an event appended after the last',
      (w) => [
        `INSERT INTO audit_event (id, ${COLUMNS}, position, hash)
        SELECT gen_random_uuid(), ${COLUMNS}, 8, hash FROM audit_event WHERE position = 4 AND ${w}`,
      ],
      'altered',
      8n,
    ],
    [
      'an event appended after the last, with a correct hash',
      (w) => [
        `INSERT INTO audit_event SELECT (f).* FROM (SELECT jsonb_populate_record(e, to_jsonb(e)
          || jsonb_build_object('id', gen_random_uuid(), 'position', 8)) AS e, hash AS previous FROM audit_event AS e
          WHERE position = 7 AND ${w}) AS x, LATERAL (SELECT jsonb_populate_record(x.e, jsonb_build_object('hash', audit_digest(previous, x.e))) AS f) AS y`,
      ],
      'inserted',
      8n,
    ],
    [
      'another head',
      (w) => [`UPDATE audit_chain SET hash = sha256('x') WHERE ${w.replace('organization_id', 'id')}`],
      'altered',
      7n,
    ],
  ])('finds %s and returns the first broken position', async (_name, statements, reason, position) => {
    const organizationId = newId();
    await recordMany(organizationId, 7);
    expect(await verifiedEvents(organizationId)).toBe(7);
    await tamper(...statements(`organization_id = '${organizationId}'`));
    const { fault } = await chain.verify(ctx, organizationId);
    expect(fault).toMatchObject({ reason, position });
    expect(fault!.eventId === null).toBe(reason === 'missing');
  });

  it('verifies a chain of many pages while events are recorded', async () => {
    const organizationId = newId();
    await app.sql(
      `INSERT INTO audit_event (id, organization_id, type, actor_kind, request_id, payload, time)
       SELECT gen_random_uuid(), $1, 'build.uploaded', 'system', 'fill', '{}', now() FROM generate_series(1, 2500)`,
      [organizationId],
    );
    const [report] = await Promise.all([chain.verify(ctx, organizationId), recordMany(organizationId, 50)]);
    expect(report.fault).toBeNull();
    expect(await verifiedEvents(organizationId)).toBe(2_550);
  });
});
