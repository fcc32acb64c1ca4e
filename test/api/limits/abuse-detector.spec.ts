import { AbuseDetector } from '#infra/rate-limit/abuse-detector';
import { type Bearer, type ProjectRef, randomEmail, scope } from '../../support/actors/actors';
import { TestApp } from '../../support/app/test-app';

/** A tenth of every limit: 60 reads a minute, 300 requests of one address. */
const environment = { RATE_LIMIT_FACTOR: '0.1' };
const READS = 60;
const FLAG_THRESHOLD = 100;
const SECONDS = expect.any(Number) as number;

interface Flag {
  readonly principal: string;
  readonly organization_id: string | null;
  readonly reason: string;
  readonly hits: number;
  readonly seconds: number;
}

describe('floods', () => {
  let app: TestApp;
  let second: TestApp;
  let project: ProjectRef;
  let token: string;
  let developerId: string;
  let path: string;

  beforeAll(async () => {
    app = await TestApp.start({ environment });
    second = await TestApp.start({ worker: false, environment, beside: app });
    await toTheNextHour();
    const ann = await app.developer(randomEmail());
    project = await ann.createsProject(await ann.createsOrganization());
    token = await ann.createsToken(project);
    developerId = ann.id;
    path = `/builds?${scope(project)}`;
    await flood(ann, '/developers/me', READS + FLAG_THRESHOLD);
  });
  afterAll(async () => {
    await second.stop();
    await app.stop();
  });

  /** Flags are by the clock's hour: none of these tests may stand on its edge. */
  const toTheNextHour = async () => {
    const seconds = 3600 - ((app.clock.now().getTime() / 1000) % 3600);
    await app.clock.advance({ seconds: Math.ceil(seconds) + 1 });
  };

  async function flood(who: Bearer, route: string, requests: number): Promise<number> {
    await app.clock.advance({ minutes: 2 });
    const answers = await Promise.all(Array.from({ length: requests }, () => who.get(route)));
    return answers.filter(({ status }) => status === 429).length;
  }

  /** The writing is not waited for by the requests. */
  async function flagsOf(principal: string, enough: (flags: Flag[]) => boolean): Promise<Flag[]> {
    for (;;) {
      const flags = await app.sql<Flag>(
        `SELECT principal, organization_id, reason, hits, extract(epoch FROM last_seen_at - first_seen_at)::int AS seconds
         FROM account_flag WHERE principal = $1 ORDER BY hour_start`,
        [principal],
      );
      if (enough(flags)) return flags;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }
  const eventsOf = (principal: string) =>
    app.sql(
      `SELECT actor_kind, organization_id FROM audit_event WHERE type = 'account.flagged' AND payload->>'principal' = $1`,
      [principal],
    );

  it('flag a developer, who belongs to no organization in particular', async () => {
    const principal = `developer:${developerId}`;
    const flags = await flagsOf(principal, ({ length }) => length > 0);
    expect(flags).toEqual([
      { principal, organization_id: null, reason: 'rate_limit', hits: FLAG_THRESHOLD, seconds: 0 },
    ]);
    expect(await eventsOf(principal)).toEqual([{ actor_kind: 'developer', organization_id: null }]);
  });

  it('flag a token once an hour, on two processes together, and change nothing else', async () => {
    const [ci, other] = [app.ci(token), second.ci(token)];
    expect(await flood(ci, path, READS + FLAG_THRESHOLD - 1)).toBe(FLAG_THRESHOLD - 1);
    expect(await app.sql(`SELECT FROM account_flag WHERE principal LIKE 'project-token:%'`)).toEqual([]);
    expect((await ci.get(path)).status).toBe(429);
    const [{ id = '' } = {}] = await app.sql<{ id: string }>('SELECT id FROM project_access_token');
    const principal = `project-token:${id}`;
    await flagsOf(principal, ({ length }) => length > 0);
    expect(await flood(other, path, READS + FLAG_THRESHOLD)).toBe(FLAG_THRESHOLD);
    // red when: each process writes a flag of its own, or records the event whenever it adds to one
    const flags = await flagsOf(principal, ([flag]) => flag?.hits === 2 * FLAG_THRESHOLD);
    const { organizationId: organization_id } = project;
    expect(flags).toEqual([
      { principal, organization_id, reason: 'rate_limit', hits: 2 * FLAG_THRESHOLD, seconds: SECONDS },
    ]);
    expect(flags[0]?.seconds).toBeGreaterThanOrEqual(119);
    expect(await eventsOf(principal)).toEqual([{ actor_kind: 'project_access_token', organization_id }]);

    await toTheNextHour();
    expect((await ci.get(path)).status).toBe(200);
    // red when: the count is not begun anew with the hour
    expect(await flood(ci, path, READS + FLAG_THRESHOLD - 1)).toBe(FLAG_THRESHOLD - 1);
    expect(await flagsOf(principal, () => true)).toHaveLength(1);
    expect((await ci.get(path)).status).toBe(429);
    expect(await flagsOf(principal, ({ length }) => length > 1)).toHaveLength(2);
    expect(await eventsOf(principal)).toHaveLength(2);
  });

  // red when: prune looks at each flag alone, or at nothing but the time
  it('are forgotten ninety days after the last one of the account', async () => {
    const flag = (principal: string, daysAgo: number) =>
      app.sql(
        `INSERT INTO account_flag (id, principal, reason, hour_start, first_seen_at, last_seen_at, hits)
         SELECT gen_random_uuid(), $1, 'rate_limit', at, at, at, 100 FROM (SELECT app_now() - make_interval(days => $2) AS at) AS t`,
        [principal, daysAgo],
      );
    await flag('developer:quiet', 91);
    await flag('developer:quiet', 200);
    await flag('developer:busy', 89);
    await flag('developer:busy', 300);
    const before = (await app.sql('SELECT FROM account_flag')).length;
    await app.runsJob('rate-limit.prune-account-flags');
    expect(await flagsOf('developer:quiet', () => true)).toEqual([]);
    expect(await flagsOf('developer:busy', () => true)).toHaveLength(2);
    expect(await app.sql('SELECT FROM account_flag')).toHaveLength(before - 2);
  });

  it('flag nobody who is not known', async () => {
    const before = await app.sql('SELECT FROM account_flag');
    await app.clock.advance({ minutes: 2 });
    const answers = await Promise.all(Array.from({ length: 150 }, () => app.anonymous.get('/api/v1/captcha')));
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(FLAG_THRESHOLD);
    await app.nest.get(AbuseDetector).beforeApplicationShutdown();
    expect(await app.sql('SELECT FROM account_flag')).toHaveLength(before.length);
  });
});
