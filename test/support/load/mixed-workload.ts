import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { type ProjectRef, scope } from '../actors/actors';
import { type Tenant } from '../actors/tenant';
import { encoded, type HttpAnswer, type HttpClient } from '../app/http-client';
import { type TestApp } from '../app/test-app';

type Effect = 'upload' | 'download' | 'tester' | 'notes' | 'invite';

interface Sent {
  readonly method?: 'POST' | 'PATCH';
  readonly key?: string;
  readonly body?: object | FormData;
}

const FILE = randomBytes(60_000);
/** Enough testers to mail each only once: a tester may receive at most ten invitations an hour. */
const TESTERS = 5_000;

/**
 * The workload of a team, its CI and its testers: reads, and changes with idempotency keys, a third of which are sent twice,
 * as by a client that lost the first response. It records failures, and the changes that must have happened exactly
 * once.
 */
export class MixedWorkload {
  readonly failures: object[] = [];
  readonly project: ProjectRef;
  readonly token: string;
  requests = 0;
  replays = 0;
  slowestMs = 0;
  private readonly keys = new Map<string, Effect>();
  /** Addresses of the invited testers. */
  readonly invited: string[] = [];
  private readonly before = new Map<Effect, number>();
  private readonly query: string;
  private reservedBefore: string[] = [];
  private testers: { id: string; email: string }[] = [];

  constructor(
    private readonly client: HttpClient,
    private readonly tenant: Tenant,
  ) {
    this.project = tenant.project;
    this.token = tenant.projectToken.token;
    this.query = scope(tenant.project);
  }

  async prepare(app: TestApp): Promise<void> {
    const { organizationId, id: projectId } = this.project;
    this.testers = await app.sql(
      `INSERT INTO tester (id, organization_id, project_id, email, email_key, platforms, created_at)
       SELECT gen_random_uuid(), $1, $2, email, email, '{}', now()
       FROM generate_series(1, $3::int) AS n, format('t%s@%s.example.com', n, $1::uuid) AS email RETURNING id, email`,
      [organizationId, projectId, TESTERS],
    );
    this.reservedBefore = (await app.sql<{ id: string }>('SELECT id FROM reservation')).map(({ id }) => id);
    for (const [effect, table] of TABLES) this.before.set(effect, await this.countIn(app, table));
  }

  /**
   * Runs the `n`-th request of the workload: of twenty, twelve read, two upload, two download and four change something
   * small.
   */
  one(n: number): Promise<void> {
    const { build, channel } = this.tenant;
    const reads = [
      `/api/v1/builds?${this.query}`,
      `/api/v1/builds/${build.id}?${this.query}`,
      `/api/v1/testers?${this.query}&limit=20`,
      `/api/v1/releases/current/all?${this.query}&channel_id=${channel.id}`,
      new URL(channel.install_url).pathname,
    ];
    const read = async (): Promise<void> => void (await this.expects('read', [200], reads[n % reads.length]!));
    const deck = [
      ...[read, () => this.uploads(), read, () => this.invites(), read, () => this.downloads(), read],
      ...[read, () => this.adds(), read, read, () => this.notes(), read, read],
      ...[() => this.uploads(), read, read, () => this.downloads(), read, read],
    ];
    return deck[n % deck.length]!();
  }

  /** Returns a new key whose effect must exist exactly once at the end. */
  newKeyFor(effect: Effect): string {
    const key = randomUUID();
    this.keys.set(key, effect);
    return key;
  }

  judge(what: string, status: number, wanted: readonly number[], text: string): void {
    this.requests += 1;
    if (!wanted.includes(status)) this.failures.push({ what, status, text: text.slice(0, 300) });
  }

  /** Returns the keys whose effect is missing or duplicated: rows, audit events, ledger entries, mails. */
  async effectsNotOnce(app: TestApp, mailed: readonly string[]): Promise<object[]> {
    const wrong: object[] = [];
    const compare = (what: string, found: number, wanted: number): void => {
      if (found !== wanted) wrong.push({ what, found, wanted });
    };
    const events = await app.sql<{ request_id: string; count: number }>(
      `SELECT payload ->> 'client_request_id' AS request_id, count(*)::int AS count FROM audit_event WHERE payload ->> 'client_request_id' = ANY($1) GROUP BY 1`,
      [[...this.keys.keys()]],
    );
    const eventsOf = new Map(events.map(({ request_id: key, count }) => [key, count]));
    for (const [key, effect] of this.keys) compare(`audit events of ${effect} ${key}`, eventsOf.get(key) ?? 0, 1);
    for (const [effect, table] of TABLES) {
      const wanted = (this.before.get(effect) ?? 0) + [...this.keys.values()].filter((one) => one === effect).length;
      compare(table, await this.countIn(app, table), wanted);
    }
    const settled = `SELECT FROM reservation r LEFT JOIN ledger_entry e
      ON e.organization_id = r.organization_id AND e.reference = r.id::text
      WHERE (r.state <> 'settled' OR e.id IS NULL) AND NOT r.id = ANY($1) AND r.organization_id = $2`;
    const unsettled = await app.sql(settled, [this.reservedBefore, this.project.organizationId]);
    compare('reservations without an entry in the ledger', unsettled.length, 0);
    for (const email of this.invited) compare(`mails to ${email}`, mailed.filter((to) => to === email).length, 1);
    return wrong;
  }

  private async countIn(app: TestApp, table: string): Promise<number> {
    const text = `SELECT count(*)::int AS count FROM ${table} WHERE organization_id = $1`;
    return (await app.sql<{ count: number }>(text, [this.project.organizationId]))[0]!.count;
  }

  private async uploads(): Promise<void> {
    const body = new FormData();
    body.set('version', '1.0');
    body.set('platform', 'linux');
    body.set('file', new Blob([FILE]), 'app.bin');
    await this.effect('upload', 201, `/api/v1/builds?${this.query}`, { body });
  }

  private async downloads(): Promise<void> {
    const { build } = this.tenant;
    const minted = await this.effect('download', 200, `/api/v1/builds/${build.id}/download-url?${this.query}`);
    if (!minted) return;
    const { url } = JSON.parse(minted.body.toString()) as { url: string };
    const response = await this.expects('download', [200, 302], new URL(url).pathname);
    const storeUrl = response?.headers.location;
    const got = storeUrl ? await this.expects('download from the store', [200], storeUrl) : response;
    const sha256 = got && createHash('sha256').update(got.body).digest('hex');
    if (got && sha256 !== build.sha256) this.failures.push({ what: 'download', status: got.status, text: 'damaged' });
  }

  private async adds(): Promise<void> {
    const body = { email: `${randomUUID()}@example.com` };
    await this.effect('tester', 201, `/api/v1/testers?${this.query}`, { body });
  }

  private async notes(): Promise<void> {
    const path = `/api/v1/builds/${this.tenant.build.id}?${this.query}`;
    await this.effect('notes', 200, path, { method: 'PATCH', body: { notes: randomUUID() } });
  }

  private async invites(): Promise<void> {
    const tester = this.testers[this.invited.length]!;
    this.invited.push(tester.email);
    await this.effect('invite', 204, `/api/v1/testers/${tester.id}/invite?${this.query}`);
  }

  /** Sends a change; every third one twice, concurrently or one after the other. */
  private async effect(effect: Effect, status: number, path: string, sent: Sent = {}): Promise<HttpAnswer | null> {
    const key = this.newKeyFor(effect);
    const send = (): Promise<HttpAnswer | null> =>
      this.expects(effect, [status], path, { method: 'POST', ...sent, key });
    if (this.keys.size % 3 !== 0) return send();
    const together = this.keys.size % 2 === 0;
    const first = send();
    const [one, two] = together ? await Promise.all([first, send()]) : [await first, await send()];
    this.replays += [one, two].filter(isReplay).length;
    if (one && two && !one.body.equals(two.body))
      this.failures.push({ what: `replay of ${effect}`, status: two.status, text: two.body.toString() });
    return one;
  }

  private async expects(
    what: string,
    wanted: readonly number[],
    path: string,
    { method, key, body }: Sent = {},
  ): Promise<HttpAnswer | null> {
    const startedAt = performance.now();
    try {
      const payload = body && (await payloadOf(body));
      const response = await this.client.ask(path, {
        method: method ?? 'GET',
        headers: {
          ...(path.startsWith('/api') && { Authorization: `Bearer ${this.token}` }),
          ...(key && { 'Idempotency-Key': key, 'X-Request-Id': key }),
          ...(payload && { 'Content-Type': payload.contentType }),
        },
        ...(payload && { body: payload.body }),
      });
      this.judge(what, response.status, wanted, response.body.toString());
      return wanted.includes(response.status) ? response : null;
    } catch (error) {
      this.judge(what, 0, wanted, String(error));
      return null;
    } finally {
      this.slowestMs = Math.max(this.slowestMs, performance.now() - startedAt);
    }
  }
}

const payloadOf = (body: object | FormData): Promise<{ body: Buffer; contentType: string }> =>
  body instanceof FormData
    ? encoded(body)
    : Promise.resolve({ body: Buffer.from(JSON.stringify(body)), contentType: 'application/json' });
const isReplay = (response: HttpAnswer | null): boolean => response?.headers['idempotency-replayed'] === 'true';

/** The table in which each effect creates a row. */
const TABLES: readonly [Effect, string][] = [
  ['upload', 'build'],
  ['download', 'download_ticket'],
  ['tester', 'tester'],
];
