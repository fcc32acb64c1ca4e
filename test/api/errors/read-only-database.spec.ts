import { type BuildJson, type ProjectRef, scope } from '../../support/actors/actors';
import { TestApp } from '../../support/app/test-app';
import { ipa } from '../../support/artifacts/valid-artifacts';

/** After a failover to a standby, or when a managed server's disk is full, the database answers queries and rejects writes. */
describe('a read-only database', () => {
  let app: TestApp;
  let project: ProjectRef;
  let build: BuildJson;
  let pat: string;
  let projectToken: string;

  beforeAll(async () => {
    app = await TestApp.start();
    const ann = await app.developer();
    const organization = await ann.createsOrganization();
    project = await ann.createsProject(organization);
    build = await ann.uploads(project, { bytes: ipa(), fileName: 'a.ipa' });
    const tokenOf = async (path: string, body: object): Promise<string> =>
      ((await ann.post(path, body).expect(201)).body as { token: string }).token;
    pat = await tokenOf(`/pats?organization_id=${organization.id}`, { name: 'ci', scopes: ['builds:read'] });
    projectToken = await tokenOf(`/project-access-tokens?${scope(project)}`, { name: 'ci', role: 'VIEW_PROJECT' });
    await makeReadOnly();
  });
  afterAll(() => app.stop());

  /** Applies to new sessions, so those of the service are closed; its pool reconnects. */
  const makeReadOnly = async (): Promise<void> => {
    await app.sql(
      `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on', current_database()); END $$`,
    );
    await app.sql(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
  };

  // red when: the probe is SELECT 1
  it('makes the service not ready', async () => {
    const { body } = await app.anonymous.get('/api/v1/ready').expect(503);
    const { checks } = body as { checks: { name: string; status: string }[] };
    expect(checks.find(({ name }) => name === 'database')).toEqual({ name: 'database', status: 'failed' });
  });

  // red when: the last use of a token is written before the response, and its failure fails the request
  it.each([
    ['a personal access token', () => pat],
    ['a project access token', () => projectToken],
  ])('can be read with %s', async (_name, token) => {
    const { body } = await app
      .ci(token())
      .get(`/builds/${build.id}?${scope(project)}`)
      .expect(200);
    expect((body as BuildJson).id).toBe(build.id);
  });

  it('rejects changes with 503 and Retry-After', async () => {
    const response = await app.anonymous
      .post('/api/v1/developers')
      .send({ email: 'new@example.com', password: 'correct horse battery staple 9' });
    expect([response.status, response.headers['retry-after']]).toEqual([503, expect.any(String)]);
  });
});
