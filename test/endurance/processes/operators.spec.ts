import { TestApp } from '../../support/app/test-app';
import { operator } from '../../support/processes/operator-console';

describe('the operator console', () => {
  let app: TestApp;
  beforeAll(async () => (app = await TestApp.start({ worker: false })));
  afterAll(() => app.stop());

  const events = (type: string): Promise<{ actor_kind: string; payload: object }[]> =>
    app.sql('SELECT actor_kind, payload FROM audit_event WHERE type = $1', [type]);

  it('lists its commands with --help', async () => {
    const { status, out } = await operator(app, '--help');
    expect(status).toBe(0);
    for (const command of ['flags', 'jobs', 'sweep']) expect(out).toContain(command);
  });

  it('lists failed jobs, retries them and records an audit event', async () => {
    await app.sql(`SELECT FROM graphile_worker.add_job('mail.send', '{}', max_attempts => 1)`);
    await app.sql(
      `SELECT FROM graphile_worker.permanently_fail_jobs(array(SELECT id FROM graphile_worker.jobs), 'no route to host')`,
    );
    const failed = JSON.parse((await operator(app, 'jobs', 'failed', '--json')).out) as {
      id: string;
      last_error: string;
    }[];
    expect(failed).toMatchObject([{ kind: 'mail.send', last_error: 'no route to host' }]);

    expect(await operator(app, 'jobs', 'retry', 'all')).toMatchObject({ status: 2 });
    expect(await operator(app, 'jobs', 'retry', '987654', '--yes')).toMatchObject({ status: 1, out: '' });
    expect(await events('jobs.retried')).toEqual([]);

    expect(await operator(app, 'jobs', 'retry', failed[0]?.id ?? '', '--yes')).toMatchObject({
      status: 0,
      out: 'retried  1\n',
    });
    expect((await operator(app, 'jobs', 'failed')).out).toBe('None.\n');
    expect(await events('jobs.retried')).toMatchObject([{ actor_kind: 'operator', payload: { retried: 1 } }]);
  });

  it('prints errors as JSON with --json', async () => {
    const missing = '019a9d5e-7c1a-7b3e-9c55-0c8f4a6b2d10';
    const unknown = await operator(app, 'billing', 'show', missing, '--json');
    expect([unknown.status, unknown.out, JSON.parse(unknown.err)]).toEqual([
      1,
      '',
      { error: 'not_found', message: `There is no organization ${missing}.` },
    ]);
    const tooMuch = await operator(app, 'billing', 'grant', missing, '1000000', '--reference', 'x', '--yes', '--json');
    expect([tooMuch.status, JSON.parse(tooMuch.err)]).toMatchObject([
      1,
      { error: 'invalid_input', details: { reason: 'usd' } },
    ]);
  });

  it('runs all scheduled jobs with sweep', async () => {
    const { status, out } = await operator(app, 'sweep', '--yes', '--json');
    expect(status).toBe(0);
    const swept = JSON.parse(out) as { schedule: string; status: string }[];
    expect(swept.map(({ schedule }) => schedule)).toContain('builds.sweep-uploads');
    expect(swept.filter(({ status: outcome }) => outcome !== 'done')).toEqual([]);
    expect(await events('jobs.swept')).toHaveLength(1);
  });
});
