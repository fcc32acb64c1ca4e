import { AbuseDetector } from '#infra/rate-limit/abuse-detector';
import { type Bearer, type ProjectRef, randomEmail, scope } from '../../support/actors/actors';
import { TestApp } from '../../support/app/test-app';
import { eventually } from '../../support/until';

/** 60 reads and 30 pages a minute, 300 requests per address. */
const environment = { RATE_LIMIT_FACTOR: '0.1', RATE_LIMIT_PAGE: '300', RATE_LIMIT_ADDRESS: '3000' };
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

describe('the abuse detector', () => {
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

  /** Flags are per clock hour, so the tests start at the beginning of one. */
  const toTheNextHour = async () => {
    const seconds = 3600 - ((app.clock.now().getTime() / 1000) % 3600);
    await app.clock.advance({ seconds: Math.ceil(seconds) + 1 });
  };

  async function flood(caller: Bearer, route: string, requests: number): Promise<number> {
    await app.clock.advance({ minutes: 2 });
    const responses = await Promise.all(Array.from({ length: requests }, () => caller.get(route)));
    return responses.filter(({ status }) => status === 429).length;
  }

  /** Requests do not wait for the flag to be written. */
  async function flagsOf(principal: string, isComplete: (flags: Flag[]) => boolean): Promise<Flag[]> {
    const read = (): Promise<Flag[]> =>
      app.sql<Flag>(
        `SELECT principal, organization_id, reason, hits, extract(epoch FROM last_seen_at - first_seen_at)::int AS seconds
         FROM account_flag WHERE principal = $1 ORDER BY hour_start`,
        [principal],
      );
    return eventually(read, isComplete);
  }
  const eventsOf = (principal: string) =>
    app.sql(
      `SELECT actor_kind, organization_id FROM audit_event WHERE type = 'account.flagged' AND payload->>'principal' = $1`,
      [principal],
    );

  it('flags a developer without an organization', async () => {
    const principal = `developer:${developerId}`;
    const flags = await flagsOf(principal, ({ length }) => length > 0);
    expect(flags).toEqual([
      { principal, organization_id: null, reason: 'rate_limit', hits: FLAG_THRESHOLD, seconds: 0 },
    ]);
    expect(await eventsOf(principal)).toEqual([{ actor_kind: 'developer', organization_id: null }]);
  });

  it('flags the project of a token once per hour, even when two processes count it', async () => {
    const [ci, other] = [app.ci(token), second.ci(token)];
    expect(await flood(ci, path, READS + FLAG_THRESHOLD - 1)).toBe(FLAG_THRESHOLD - 1);
    expect(await app.sql(`SELECT FROM account_flag WHERE principal LIKE 'project:%'`)).toEqual([]);
    expect((await ci.get(path)).status).toBe(429);
    const principal = `project:${project.id}`;
    await flagsOf(principal, ({ length }) => length > 0);
    expect(await flood(other, path, READS + FLAG_THRESHOLD)).toBe(FLAG_THRESHOLD);
    // red when: each process writes its own flag, or records the event on every update
    const flags = await flagsOf(principal, ([flag]) => flag?.hits === 2 * FLAG_THRESHOLD);
    const { organizationId: organization_id } = project;
    expect(flags).toEqual([
      { principal, organization_id, reason: 'rate_limit', hits: 2 * FLAG_THRESHOLD, seconds: SECONDS },
    ]);
    expect(flags[0]?.seconds).toBeGreaterThanOrEqual(119);
    expect(await eventsOf(principal)).toEqual([{ actor_kind: 'project_access_token', organization_id }]);

    await toTheNextHour();
    expect((await ci.get(path)).status).toBe(200);
    // red when: the count does not restart with the hour
    expect(await flood(ci, path, READS + FLAG_THRESHOLD - 1)).toBe(FLAG_THRESHOLD - 1);
    expect(await flagsOf(principal, () => true)).toHaveLength(1);
    expect((await ci.get(path)).status).toBe(429);
    expect(await flagsOf(principal, ({ length }) => length > 1)).toHaveLength(2);
    expect(await eventsOf(principal)).toHaveLength(2);
  });

  // red when: prune deletes old flags of accounts that have recent ones
  it('deletes the flags of an account ninety days after its last one', async () => {
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

  it('does not flag anonymous callers', async () => {
    const before = await app.sql('SELECT FROM account_flag');
    await app.clock.advance({ minutes: 2 });
    const responses = await Promise.all(Array.from({ length: 150 }, () => app.anonymous.get('/api/v1/captcha')));
    expect(responses.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(FLAG_THRESHOLD);
    await app.nest.get(AbuseDetector).beforeApplicationShutdown();
    expect(await app.sql('SELECT FROM account_flag')).toHaveLength(before.length);
  });
});
