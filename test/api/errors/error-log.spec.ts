import { TestApp } from '../../support/app/test-app';

/** The error log must help operators without exposing personal data (docs/security.md). */
describe('the error log', () => {
  let app: TestApp;
  beforeAll(async () => (app = await TestApp.start()));
  afterAll(() => app.stop());

  const lineOf = (message: string): string | undefined => app.logLines.find((line) => line.includes(message));

  // red when: errors are logged with all their properties
  it('contains the failed statement but no value of the request', async () => {
    const ann = await app.developer();
    const { id } = await ann.createsOrganization();
    app.logLines.length = 0;
    await app.sql('ALTER TABLE project RENAME COLUMN name TO nom');
    try {
      await ann.post(`/projects?organization_id=${id}`, { name: 'Planted Secret App' }).expect(500);
    } finally {
      await app.sql('ALTER TABLE project RENAME COLUMN nom TO name');
    }
    const line = lineOf('request failed')!;
    expect(JSON.parse(line)).toMatchObject({
      level: 'error',
      code: 'internal_error',
      err: {
        type: 'QueryFailedError',
        code: '42703',
        query: expect.stringMatching(/project/) as string,
        stack: expect.stringContaining('projects.repository') as string,
      },
    });
    const planted = ['Planted Secret App', ann.email, id];
    expect(planted.filter((piece) => line.includes(piece))).toEqual([]);
  });

  // red when: the pool's error is logged with its connection
  it('contains no database connection data', async () => {
    await app.sql(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'agate-jobs' AND datname = current_database()`,
    );
    for (let tries = 0; tries < 600 && !lineOf('The job queue lost a connection'); tries++)
      await new Promise((resolve) => setTimeout(resolve, 50));
    const { err } = JSON.parse(lineOf('The job queue lost a connection')!) as { err: object };
    expect(err).toMatchObject({
      code: '57P01',
      severity: 'FATAL',
      message: expect.stringMatching(/terminating/) as string,
    });
    const { username, pathname } = new URL(app.database.url);
    const lost = app.logLines.filter((line) => line.includes('lost'));
    expect(lost.filter((line) => line.includes(pathname.slice(1)) || line.includes(`"${username}"`))).toEqual([]);
  });
});
