import { Jobs } from '#infra/jobs/jobs';
import { ClockCommands } from '../../../src/modules/operators/commands/clock.commands';
import { JobCommands } from '../../../src/modules/operators/commands/job.commands';
import { type BuildJson, Developer, type OrganizationRef, type ProjectRef, scope } from '../../support/actors/actors';
import { downloaded } from '../../support/actors/backup-fixture';
import { TestApp } from '../../support/app/test-app';
import { ipa } from '../../support/artifacts/valid-artifacts';
import { operator } from '../../support/checks/billing-consistency';
import { eventually, until } from '../../support/until';

const METRICS_TOKEN = 'scrape-0123456789abcdef';
const FILE = { bytes: ipa(), fileName: 'a.ipa' };

describe('a clock that jumps ahead', () => {
  let app: TestApp;
  let ann: Developer;
  let organization: OrganizationRef;
  let project: ProjectRef;
  let build: BuildJson;

  beforeAll(async () => {
    app = await TestApp.start({ environment: { METRICS_TOKEN } });
    // Otherwise a month or a day could end within a test.
    await app.clock.advanceToFifth();
  });
  afterAll(() => app.stop());
  beforeEach(async () => {
    ann = await app.developer();
    organization = await ann.createsOrganization();
    project = await ann.createsProject(organization);
    build = await ann.uploads(project, FILE);
  });

  const sweepAll = async (): Promise<void> => {
    for (const { name } of app.nest.get(Jobs, { strict: false }).schedules) await app.runsJob(name);
  };

  /** Everything that a sweep at a wrong time closes, charges or deletes. */
  const kept = async (): Promise<object> => {
    const [row] = await app.sql(`
      SELECT (SELECT count(*) FROM billing_statement) AS statements, (SELECT count(*) FROM ledger_entry) AS entries,
             (SELECT sum(balance_micro_usd) FROM billing_account) AS balances,
             (SELECT string_agg(open_period || spent_period, ',' ORDER BY organization_id) FROM billing_account) AS periods,
             (SELECT count(*) FROM refresh_token) AS sessions, (SELECT count(*) FROM developer_link) AS links,
             (SELECT count(*) FROM audit_event WHERE type <> 'login.succeeded') AS events,
             (SELECT count(*) FROM audit_anchor) AS anchors`);
    return row!;
  };
  /** Also uses the token once. */
  const logIn = async (): Promise<string> => (await Developer.logIn(app.url, ann.email, ann.password)).token;
  const readiness = async (): Promise<{ status: number; failed: string[] }> => {
    // A health check is cached for half a second of the process's clock.
    await app.clock.jump({ seconds: 1 });
    const { status, body } = await app.anonymous.get('/api/v1/ready');
    const { checks } = body as { checks: { name: string; status: string }[] };
    return { status, failed: checks.filter((check) => check.status === 'failed').map(({ name }) => name) };
  };
  const isReady = (): Promise<void> => until(async () => (await readiness()).status === 200);
  const metric = async (name: string): Promise<number> => {
    await app.clock.jump({ seconds: 10 });
    const headers = { Authorization: `Bearer ${METRICS_TOKEN}` };
    const text = await (await fetch(`${app.url}/metrics`, { headers })).text();
    return Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1]);
  };
  const errors = (part: string): string[] =>
    app.logLines.filter((line) => line.includes('"level":"error"') && line.includes(part));
  const command = (group: typeof JobCommands | typeof ClockCommands, name: string) =>
    app.nest.get<JobCommands | ClockCommands>(group, { strict: false }).commands.find((each) => each.name === name)!;

  // red when: a schedule runs without the guard, or money is booked by app_now() instead of billing_now()
  it('closes, charges and deletes nothing when the database is 400 days ahead for one sweep', async () => {
    const before = await kept();
    await app.clock.skewDatabase({ days: 400 });
    await sweepAll();
    expect(await kept()).toEqual(before);
    expect(errors('Nothing is closed, charged or pruned')).toHaveLength(1);

    // Money that is booked on request has the time of the last sweep: the trial credit is not charged for thirteen months.
    await (await Developer.logIn(app.url, ann.email, ann.password)).changesPlan(organization, 'business');
    await app.clock.skewDatabase({});
    await sweepAll();
    expect(await app.sql('SELECT period FROM billing_statement')).toEqual([]);
    await ann.get(`/builds?${scope(project)}`).expect(200);
  });

  // red when: a token is issued by the database's clock and checked by the process's
  it('still issues tokens that work, also after a logout at the wrong time', async () => {
    await app.clock.skewDatabase({ minutes: 5 });
    const works = async (token: string): Promise<number> =>
      (await app.anonymous.get('/api/v1/developers/me').set('Authorization', `Bearer ${token}`)).status;
    const first = await logIn();
    expect(await works(first)).toBe(200);
    await app.anonymous.post('/api/v1/login/logout').set('Authorization', `Bearer ${first}`).expect(204);
    expect(await works(first)).toBe(401);
    await app.clock.skewDatabase({});
    const second = await logIn();
    expect(await works(second)).toBe(200);
    await app.clock.skewDatabase({ minutes: -5 });
    const third = await logIn();
    expect(await works(third)).toBe(200);
    await app.clock.skewDatabase({});
    await app.clock.advance({ minutes: 10, seconds: 1 });
    expect(await works(second)).toBe(401);
  });

  // red when: nothing compares the two clocks
  it('shows a difference of more than 30 seconds between process and database in /ready, a metric and the log', async () => {
    // A pause of the machine makes a check fail for a moment. Between the readings of the two clocks, it counts as a difference.
    await isReady();
    await app.clock.skewDatabase({ seconds: -40 });
    await eventually(readiness, ({ status, failed }) => status === 503 && String(failed) === 'clock');
    await until(async () => Math.round(await metric('agate_clock_skew_seconds')) === -40);
    expect(app.logLines.some((line) => /of the database differ by [34]\d seconds/.test(line))).toBe(true);
    await app.clock.skewDatabase({});
    await isReady();
  });

  // red when: confirm() leaves the mark; closeAll() has no bound; a ticket keeps its reservation
  it('continues after an operator confirmed the time, with at most three months per run', async () => {
    await downloaded(ann, project, build);
    await app.clock.jump({ days: 150 });
    const before = await kept();
    await sweepAll();
    expect(await kept()).toEqual(before);
    expect(await metric('agate_clock_held')).toBe(1);
    await expect(command(JobCommands, 'sweep').effect!(operator(app), {})).rejects.toThrow('clock confirm');
    await isReady();

    const confirm = command(ClockCommands, 'clock confirm');
    expect(await confirm.effect!(operator(app), {})).toContain('150 days before');
    await confirm.run(operator(app), {}, () => undefined);
    expect(await metric('agate_clock_held')).toBe(0);
    const confirmed = await app.sql(`SELECT payload FROM audit_event WHERE type = 'clock.confirmed'`);
    expect(confirmed).toHaveLength(1);
    const closed = async (): Promise<number> =>
      (await app.sql('SELECT FROM billing_statement WHERE organization_id = $1', [organization.id])).length;
    await app.runsJob('billing.close-periods');
    expect(await closed()).toBe(3);
    // The open months are closed in order before anything is booked into the present one.
    await app.runsJob('billing.close-periods');
    await app.runsJob('billing.close-periods');
    expect(await closed()).toBeGreaterThanOrEqual(4);
    // The ticket of the download is as old as its reservation.
    await app.runsJob('billing.prune-reservations');
    expect(await app.sql('SELECT FROM reservation WHERE organization_id = $1', [organization.id])).toEqual([]);
  });

  // red when: confirm() trusts a machine whose own clock is wrong
  it('cannot be confirmed while the clocks of the machine and of the database differ', async () => {
    await app.clock.skewDatabase({ days: 3 });
    const confirm = command(ClockCommands, 'clock confirm');
    await expect(confirm.run(operator(app), {}, () => undefined)).rejects.toThrow('differ by');
    await app.clock.skewDatabase({});
  });
});
