import { Developer, scope } from '../../support/actors/actors';
import { TestApp } from '../../support/app/test-app';

const QUOTA = 3;

describe('personal access tokens', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await TestApp.start({ environment: { QUOTA_PATS_PER_DEVELOPER: String(QUOTA) } });
  });
  afterAll(() => app.stop());

  it('act within their scopes and organization until they are revoked', async () => {
    const ann = await app.developer();
    const organization = await ann.createsOrganization();
    const other = await ann.createsOrganization();
    const project = await ann.createsProject(organization);
    const query = `organization_id=${organization.id}`;
    const { body } = await ann
      .post(`/pats?${query}`, { name: 'script', scopes: ['builds:read', 'organization:read'] })
      .expect(201);
    const created = body as { id: string; token: string; last4: string };
    expect(created.token).toMatch(/^ag_pat_[0-9A-Za-z]{49}$/);
    const pat = app.ci(created.token);

    await pat.get(`/builds?${scope(project)}`).expect(200);
    // red when: refusePat ignores the scope
    expect((await pat.get(`/projects?${query}`).expect(403)).body).toMatchObject({ error: 'permission_denied' });
    // red when: refusePat ignores the organization of the token
    await pat.get(`/organizations/${other.id}`).expect(403);
    const organizations = (await pat.get('/organizations').expect(200)).body as { id: string }[];
    expect(organizations.map(({ id }) => id)).toEqual([organization.id]);
    // The management of tokens needs a login.
    const refused = await pat.get(`/pats?${query}`).expect(403);
    expect(refused.body).toMatchObject({
      error: 'operation_not_allowed',
      message: expect.stringContaining('JWT') as string,
    });

    const page = (await ann.get(`/pats?${query}`).expect(200)).body as { items: object[] };
    expect(page.items).toEqual([
      expect.objectContaining({ id: created.id, last4: created.last4, scopes: ['builds:read', 'organization:read'] }),
    ]);
    expect(JSON.stringify(page)).not.toContain(created.token);

    await ann.delete(`/pats/${created.id}?${query}`).expect(204);
    await pat.get(`/builds?${scope(project)}`).expect(401);
    await ann.delete(`/pats/${created.id}?${query}`).expect(404);
  });

  it('are listed for and revoked by their owner and an ADMIN only', async () => {
    const [ann, bob, eve] = [await app.developer(), await app.developer(), await app.developer()];
    const organization = await ann.createsOrganization();
    for (const { id } of [bob, eve]) {
      await app.sql(`INSERT INTO membership VALUES ($1, $2, '{READ}', now())`, [organization.id, id]);
    }
    const query = `organization_id=${organization.id}`;
    const { body } = await bob.post(`/pats?${query}`, { name: 'bob', scopes: ['projects:read'] }).expect(201);
    const { id, token } = body as { id: string; token: string };
    expect((await eve.get(`/pats?${query}`).expect(200)).body).toMatchObject({ items: [] });
    await eve.delete(`/pats/${id}?${query}`).expect(404);
    expect((await ann.get(`/pats?${query}`).expect(200)).body).toMatchObject({ items: [{ id, developer_id: bob.id }] });
    // The token stops working when its owner leaves the organization.
    await app.sql('DELETE FROM membership WHERE developer_id = $1', [bob.id]);
    await app.ci(token).get(`/projects?${query}`).expect(401);
  });

  // red when: lockAndCount does not lock, or counts expired tokens
  it('no longer count towards the quota when they expire, and stay in the list until they are revoked', async () => {
    const ann = await app.developer();
    const path = `/pats?organization_id=${(await ann.createsOrganization()).id}`;
    const draft = { name: 'script', scopes: ['builds:read'] };
    const createsTwenty = async (as: Developer, more: object = {}): Promise<number> => {
      const responses = await Promise.all(Array.from({ length: 20 }, () => as.post(path, { ...draft, ...more })));
      for (const { status, body } of responses)
        expect(status === 201 || (body as { error: string }).error).toBe(status === 201 || 'quota_exceeded');
      return responses.filter(({ status }) => status === 201).length;
    };
    const expires_at = new Date(app.clock.now().getTime() + 3_600_000).toISOString();
    expect(await createsTwenty(ann, { expires_at })).toBe(QUOTA);
    await app.clock.advance({ hours: 1 });
    const later = await Developer.logIn(app.url, ann.email, ann.password);
    expect(await createsTwenty(later)).toBe(QUOTA);
    const { items } = (await later.get(path).expect(200)).body as { items: { expires_at: string | null }[] };
    expect(items.map((item) => item.expires_at)).toEqual([null, null, null, expires_at, expires_at, expires_at]);
  });

  // red when: rotate does not check the expiry
  it('are not rotated after they expired', async () => {
    const ann = await app.developer();
    const query = `organization_id=${(await ann.createsOrganization()).id}`;
    const expires_at = new Date(app.clock.now().getTime() + 3_600_000).toISOString();
    const draft = { name: 'script', scopes: ['builds:read'], expires_at };
    const { id, last4 } = (await ann.post(`/pats?${query}`, draft).expect(201)).body as { id: string; last4: string };
    await app.clock.advance({ hours: 1 });
    const later = await Developer.logIn(app.url, ann.email, ann.password);
    const refused = await later.post(`/pats/${id}/rotate?${query}`).expect(400);
    expect(refused.body).toMatchObject({
      error: 'operation_not_allowed',
      message: expect.stringContaining('Create a new one') as string,
      details: { reason: 'token_expired' },
    });
    expect((await later.get(`/pats?${query}`).expect(200)).body).toMatchObject({ items: [{ id, last4 }] });
  });

  it.each([
    [{ name: 'x', scopes: [] }, 'validation_error'],
    [{ name: 'x', scopes: ['everything'] }, 'validation_error'],
    [{ name: 'x', scopes: ['builds:read', 'builds:read'] }, 'validation_error'],
    [{ name: 'x', scopes: ['builds:read'], expires_at: '2001-01-01T00:00:00.000Z' }, 'invalid_input'],
    [{ name: 'x', scopes: ['builds:read'], expires_at: 'tomorrow' }, 'validation_error'],
  ])('are not created with %j', async (draft, error) => {
    const ann = await app.developer();
    const { id } = await ann.createsOrganization();
    expect((await ann.post(`/pats?organization_id=${id}`, draft).expect(400)).body).toMatchObject({ error });
  });
});
