import { randomUUID } from 'node:crypto';
import { type DeclaredRoute } from '#app/routes';
import { ON_THIS_MACHINE } from '../../support/actors/byosa';
import { createTenant } from '../../support/actors/tenant';
import { WITHOUT_IDEMPOTENCY } from '../../support/actors/without-idempotency';
import { TestApp } from '../../support/app/test-app';
import { AUDITED_ROUTES, type AuditedRoute } from '../../support/checks/routes/audited-routes';
import { errorOf } from '../../support/checks/routes/route-requests';
import { tableDigests } from '../../support/checks/table-digests';
import {
  mutatingRoutes,
  nameOf,
  type PreparedRequest,
  prepareRequest,
  routeNameOf,
} from '../../support/load/prepared-request';
import { type RawResponse } from '../../support/load/raw-http';
import { ServerProcess } from '../../support/processes/server-process';

const rows = Object.entries(AUDITED_ROUTES);
const isExempt = (name: string): boolean => routeNameOf(name) in WITHOUT_IDEMPOTENCY;

/** Simultaneous requests, and how often they are sent. The full run: `PARALLEL=50 ROUNDS=20`. */
const PARALLEL = Number(process.env['PARALLEL'] ?? 6);
const ROUNDS = Number(process.env['ROUNDS'] ?? 1);

jest.setTimeout(180_000 + ROUNDS * PARALLEL * 1_000);

/** Every mutating route has its effect once per Idempotency-Key. */
describe('Idempotency-Key', () => {
  let app: TestApp;
  let servers: readonly ServerProcess[];
  beforeAll(async () => {
    // No worker runs, so every difference after a request is an effect of the request.
    app = await TestApp.start({ worker: false, environment: ON_THIS_MACHINE });
    const start = () => ServerProcess.start(app, { ROLE: 'api', ...ON_THIS_MACHINE });
    servers = await Promise.all([start(), start()]);
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.kill()));
    await app.stop();
  });

  const routeOf = (name: string): DeclaredRoute =>
    mutatingRoutes(app).find((each) => nameOf(each) === routeNameOf(name))!;
  const requestOf = async (name: string, row: AuditedRoute): Promise<PreparedRequest> =>
    prepareRequest(app, await createTenant(app), routeOf(name), row);

  // red when: @Idempotent is left out of a route, or added to one that is exempt
  it('is accepted by every mutating route except the listed ones', () => {
    const without = mutatingRoutes(app).filter(({ idempotent }) => !idempotent);
    expect(without.map(nameOf).sort()).toEqual(Object.keys(WITHOUT_IDEMPOTENCY).sort());
  });

  const isReplayed = ({ headers }: RawResponse): boolean => headers['idempotency-replayed'] === 'true';

  /** Retries with the same key, as clients should. */
  const insist = async (request: () => Promise<RawResponse>): Promise<RawResponse> => {
    for (;;) {
      const answer = await request();
      const inFlight = errorOf(answer)?.details['reason'] === 'idempotency_in_flight';
      if (answer.status !== 503 && !inFlight) return answer;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  };

  /** The audit events of the requests. */
  const eventsOf = async (requestIds: readonly string[]): Promise<unknown[]> =>
    (
      await app.sql<{ type: string }>(
        `SELECT type FROM audit_event WHERE payload ->> 'client_request_id' = ANY($1) ORDER BY id`,
        [requestIds],
      )
    ).map(({ type }) => type);

  const makesOneEffect = async (request: PreparedRequest, row: AuditedRoute): Promise<void> => {
    const requestIds = Array.from({ length: PARALLEL }, () => randomUUID());
    const url = (n: number): string => servers[n % servers.length]!.url;
    const answers = await Promise.all(
      requestIds.map((requestId, n) => insist(() => request({ requestId, url: url(n) }))),
    );
    const [first] = answers;
    expect([first!.text, Math.floor(first!.status / 100)]).toEqual([first!.text, 2]);
    const heard = ({ status, headers, text }: RawResponse): string =>
      `${status} ${headers['content-type']} ${headers['location']} ${text}`;
    expect(new Set(answers.map(heard))).toEqual(new Set([heard(first!)]));
    expect(answers.filter((answer) => !isReplayed(answer))).toHaveLength(1);
    expect(await eventsOf(requestIds)).toEqual(row.events);

    const after = await tableDigests(app);
    const late = await request();
    expect([heard(late), isReplayed(late)]).toEqual([heard(first!), true]);
    const refusal = row.takesAccess
      ? [403, { error: 'permission_denied' }]
      : [400, { error: 'invalid_input', details: { reason: 'idempotency_key_reused' } }];
    for (const asks of ['another body', 'another query'] as const) {
      const refused = await request({ asks });
      expect([asks, refused.status, errorOf(refused)]).toMatchObject([asks, ...refusal]);
    }
    expect(await tableDigests(app)).toEqual(after);
  };

  // red when: a route has its effect outside the idempotent transaction; the claim is ignored; the fingerprint omits a part of
  // the request; the guard does not look for a replay before it rejects a request without access
  it.each(rows.filter(([name]) => !isExempt(name)))(
    'at %s makes simultaneous requests on two processes have one effect, and rejects another request',
    async (name, row) => {
      for (let round = 0; round < ROUNDS; round++) await makesOneEffect(await requestOf(name, row), row);
    },
  );

  // red when: WITHOUT_IDEMPOTENCY names a route that stores answers
  it.each(rows.filter(([name]) => isExempt(name)))('at %s is ignored', async (name, row) => {
    const request = await requestOf(name, row);
    const stored = async (): Promise<unknown> => (await tableDigests(app))['public.idempotency_record'];
    const before = await stored();
    const answers = [await request(), await request()];
    expect(answers.filter(isReplayed)).toEqual([]);
    expect(await stored()).toBe(before);
  });
});
