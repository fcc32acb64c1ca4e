import { Client } from 'pg';
import { Developer, type OrganizationRef, type ProjectRef, scope } from '../../support/actors/actors';
import { TestApp } from '../../support/app/test-app';
import { until } from '../../support/until';

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
const QUOTA = 4;

interface TokenJson {
  readonly id: string;
  readonly token: string;
  readonly last4: string;
}

describe('project access tokens', () => {
  let app: TestApp;
  let ann: Developer;
  let organization: OrganizationRef;
  let project: ProjectRef;
  let path: string;
  beforeAll(async () => {
    app = await TestApp.start({ environment: { QUOTA_TOKENS_PER_PROJECT: String(QUOTA) } });
    ann = await app.developer();
    organization = await ann.createsOrganization();
  });
  beforeEach(async () => {
    project = await ann.createsProject(organization);
    path = `/project-access-tokens?${scope(project)}`;
  });
  afterAll(() => app.stop());

  const creates = async (fields: object = {}): Promise<TokenJson> =>
    (await ann.post(path, { name: 'CI', role: 'UPLOAD_BUILD', ...fields }).expect(201)).body as TokenJson;
  const one = ({ id }: { id: string }, action = ''): string =>
    `/project-access-tokens/${id}${action}?${scope(project)}`;
  const listed = async (): Promise<object[]> => ((await ann.get(path).expect(200)).body as { items: object[] }).items;
  /** The status of a request for the project's builds with the token. */
  const statusWith = async (token: string): Promise<number> =>
    (await app.ci(token).get(`/builds?${scope(project)}`)).status;

  it('show their value once', async () => {
    const { token, ...record } = await creates();
    expect(token).toMatch(/^ag_prj_[A-Za-z0-9_-]{30,}$/);
    expect(record).toEqual({
      id: expect.any(String) as string,
      organization_id: organization.id,
      project_id: project.id,
      name: 'CI',
      role: 'UPLOAD_BUILD',
      last4: token.slice(-4),
      created_by: ann.id,
      created_by_label: ann.email,
      creator_left: false,
      created_at: TIME,
      expires_at: null,
      last_used_at: null,
    });
    expect(await listed()).toEqual([record]);
    expect(await statusWith(token)).toBe(200);
    expect(await listed()).toEqual([{ ...record, last_used_at: TIME }]);
    const stored = JSON.stringify([await app.sql('SELECT * FROM project_access_token'), app.logLines]);
    expect(stored).not.toContain(token);
  });

  // red when: create does not check the role
  it('have at most the role of the developer who creates, rotates or revokes them', async () => {
    const bob = await app.developer();
    await app.sql(
      `INSERT INTO membership (organization_id, developer_id, roles, created_at) VALUES ($1, $2, '{MEMBER}', now())`,
      [organization.id, bob.id],
    );
    const give = (role: string) =>
      ann
        .request('put', `/projects/${project.id}/members/${bob.id}?organization_id=${organization.id}`)
        .send({ role })
        .expect(200);
    const refusal = (role: string) => ({ error: 'insufficient_role', details: { required_role: role } });

    await give('DOWNLOAD_BUILD');
    const tooLow = await bob.post(path, { name: 'CI', role: 'VIEW_PROJECT' }).expect(403);
    expect(tooLow.body).toMatchObject(refusal('UPLOAD_BUILD'));
    await give('UPLOAD_BUILD');
    for (const role of ['MANAGE_TESTERS', 'MANAGE_RELEASES', 'MANAGE_PROJECT']) {
      const refused = await bob.post(path, { name: 'CI', role }).expect(403);
      expect(refused.body).toMatchObject(refusal(role));
    }
    for (const role of ['VIEW_PROJECT', 'UPLOAD_BUILD']) await bob.post(path, { name: 'CI', role }).expect(201);

    const above = await creates({ role: 'MANAGE_PROJECT' });
    for (const request of [bob.post(one(above, '/rotate')), bob.delete(one(above))]) {
      expect((await request.expect(403)).body).toMatchObject(refusal('MANAGE_PROJECT'));
    }
    expect(await statusWith(above.token)).toBe(200);
  });

  it('stop working when they expire', async () => {
    const inAnHour = new Date(app.clock.now().getTime() + 3_600_000).toISOString();
    const token = await creates({ expires_at: inAnHour });
    expect(token).toMatchObject({ expires_at: inAnHour });
    await app.clock.advance({ minutes: 59 });
    expect(await statusWith(token.token)).toBe(200);
    await app.clock.advance({ minutes: 1 });
    // The session has expired too.
    ann = await Developer.logIn(app.url, ann.email, ann.password);
    // red when: the expiry of a token is not checked
    expect(await statusWith(token.token)).toBe(401);
    const past = await ann.post(path, { name: 'CI', role: 'UPLOAD_BUILD', expires_at: inAnHour }).expect(400);
    expect(past.body).toMatchObject({ error: 'invalid_input' });
    expect(await listed()).toHaveLength(1);
  });

  // red when: rotate does not check the expiry
  it('are not rotated after they expired', async () => {
    const expires_at = new Date(app.clock.now().getTime() + 3_600_000).toISOString();
    const { token: _token, ...record } = await creates({ expires_at });
    await app.clock.advance({ hours: 1 });
    ann = await Developer.logIn(app.url, ann.email, ann.password);
    for (const body of [{}, { overlap_seconds: 300 }]) {
      const refused = await ann.post(one(record, '/rotate'), body).expect(400);
      expect(refused.body).toMatchObject({
        error: 'operation_not_allowed',
        message: expect.stringContaining('Create a new one') as string,
        details: { reason: 'token_expired' },
      });
    }
    expect(await listed()).toEqual([record]);
    await ann.delete(one(record)).expect(204);
  });

  // red when: findByDigest returns revoked tokens
  it('stop working immediately when they are revoked', async () => {
    const [token, other] = [await creates(), await creates()];
    expect(await statusWith(token.token)).toBe(200);
    await ann.delete(one(token)).expect(204);
    expect(await statusWith(token.token)).toBe(401);
    expect(await statusWith(other.token)).toBe(200);
    expect(await listed()).toHaveLength(1);
    for (const request of [ann.delete(one(token)), ann.post(one(token, '/rotate'))]) await request.expect(404);
    const elsewhere = await ann.createsProject(organization);
    await ann.delete(`/project-access-tokens/${other.id}?${scope(elsewhere)}`).expect(404);
    expect(await statusWith(other.token)).toBe(200);
  });

  it('lose their old value immediately when they are rotated, or after an overlap', async () => {
    const first = await creates();
    const second = (await ann.post(one(first, '/rotate')).expect(200)).body as TokenJson;
    expect(second).toMatchObject({ id: first.id, last4: second.token.slice(-4) });
    expect([await statusWith(first.token), await statusWith(second.token)]).toEqual([401, 200]);
    const third = (await ann.post(one(first, '/rotate'), { overlap_seconds: 300 }).expect(200)).body as TokenJson;
    expect([await statusWith(second.token), await statusWith(third.token)]).toEqual([200, 200]);
    await app.clock.advance({ minutes: 5 });
    expect([await statusWith(second.token), await statusWith(third.token)]).toEqual([401, 200]);
    await ann.post(one(first, '/rotate'), { overlap_seconds: 86_401 }).expect(400);
  });

  // red when: the previous value is read before the row is locked
  it('never get back a value that a concurrent rotation has replaced', async () => {
    const first = await creates();
    const client = new Client({ connectionString: app.database.url });
    await client.connect();
    const rotates = (overlap_seconds: number) =>
      ann.post(one(first, '/rotate'), { overlap_seconds }).expect(200).then();
    const waiters = async (count: number): Promise<void> =>
      until(async () => {
        const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
        // Not by the client: within its transaction the view stays as it was at the first read.
        return (await app.sql(waiting)).length === count;
      });
    const values = [first.token];
    try {
      await client.query('BEGIN');
      await client.query('SELECT FROM project_access_token WHERE id = $1 FOR UPDATE', [first.id]);
      const rotations = [rotates(0)];
      await waiters(1);
      rotations.push(rotates(300));
      await waiters(2);
      await client.query('COMMIT');
      for (const { body } of await Promise.all(rotations)) values.push((body as TokenJson).token);
    } finally {
      await client.end();
    }
    expect(await Promise.all(values.map(statusWith))).toEqual([401, 200, 200]);
  });

  it('act only in their own project, and cannot create tokens', async () => {
    const { token } = await creates({ role: 'MANAGE_PROJECT' });
    const ci = app.ci(token);
    const elsewhere = await ann.createsProject(organization);
    expect((await ci.get(`/builds?${scope(elsewhere)}`).expect(403)).body).toMatchObject({
      error: 'permission_denied',
    });
    for (const request of [
      ci.post(path, { name: 'CI', role: 'VIEW_PROJECT' }),
      ci.get(path),
      ci.get('/organizations'),
    ]) {
      expect((await request.expect(403)).body).toMatchObject({ error: 'operation_not_allowed' });
    }
  });

  // red when: lockAndCount does not lock
  it('never exceed the quota under concurrent requests', async () => {
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => ann.post(path, { name: 'CI', role: 'UPLOAD_BUILD' })),
    );
    const created = responses.filter(({ status }) => status === 201).map(({ body }) => body as TokenJson);
    expect(created).toHaveLength(QUOTA);
    expect(new Set(created.map(({ token }) => token)).size).toBe(QUOTA);
    const refused = responses.filter(({ status }) => status === 400);
    expect(refused).toHaveLength(20 - QUOTA);
    for (const { body } of refused) expect(body).toMatchObject({ error: 'quota_exceeded', details: { limit: QUOTA } });
    await ann.delete(one(created[0]!)).expect(204);
    await creates();
    await ann.post(path, { name: 'CI', role: 'UPLOAD_BUILD' }).expect(400);
  });

  // red when: lockAndCount counts expired tokens
  it('no longer count towards the quota when they expire, and stay in the list until they are revoked', async () => {
    const expires_at = new Date(app.clock.now().getTime() + 3_600_000).toISOString();
    const expiring = [];
    for (let n = 0; n < QUOTA; n++) expiring.push(await creates({ expires_at }));
    await ann.post(path, { name: 'CI', role: 'UPLOAD_BUILD' }).expect(400);
    await app.clock.advance({ hours: 1 });
    ann = await Developer.logIn(app.url, ann.email, ann.password);
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => ann.post(path, { name: 'CI', role: 'UPLOAD_BUILD' })),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(QUOTA);
    expect(await listed()).toHaveLength(2 * QUOTA);
    expect(await listed()).toContainEqual(expect.objectContaining({ id: expiring[0]!.id, expires_at }));
    await ann.delete(one(expiring[0]!)).expect(204);
    expect(await listed()).toHaveLength(2 * QUOTA - 1);
  });
});
