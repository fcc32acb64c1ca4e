import { type Developer, type OrganizationRef, type ProjectRef, scope } from '../../support/actors/actors';
import { TestApp } from '../../support/app/test-app';

interface TokenJson {
  readonly id: string;
  readonly token: string;
}

describe('GET /credential', () => {
  let app: TestApp;
  let ann: Developer;
  let organization: OrganizationRef;
  let project: ProjectRef;
  beforeAll(async () => {
    app = await TestApp.start();
    ann = await app.developer();
    organization = await ann.createsOrganization('Example Inc.');
    project = await ann.createsProject(organization, 'Demo');
  });
  afterAll(() => app.stop());

  const issue = async (path: string, body: object): Promise<TokenJson> =>
    (await ann.post(path, body).expect(201)).body as TokenJson;
  const projectToken = (fields: object = {}): Promise<TokenJson> =>
    issue(`/project-access-tokens?${scope(project)}`, { name: 'GitHub Actions', role: 'UPLOAD_BUILD', ...fields });
  const describedBy = async (token: string): Promise<Record<string, unknown>> =>
    (await app.ci(token).get('/credential').expect(200)).body as Record<string, unknown>;

  it('names the project of a project access token, its role and its expiry', async () => {
    const { id, token } = await projectToken({ expires_at: '2099-01-01T00:00:00.000Z' });
    const { body } = await app.ci(token).get('/credential').expect(200);
    expect(body).toEqual({
      kind: 'project_access_token',
      id,
      name: 'GitHub Actions',
      developer: null,
      organization: { id: organization.id, name: 'Example Inc.', plan: 'team' },
      project: { id: project.id, name: 'Demo' },
      role: 'UPLOAD_BUILD',
      scopes: null,
      expires_at: '2099-01-01T00:00:00.000Z',
    });
    expect(JSON.stringify(body)).not.toContain(token);
  });

  it('names the scopes and the developer of a personal access token, with any scope', async () => {
    const draft = { name: 'Release script', scopes: ['billing:read'] };
    const { id, token } = await issue(`/pats?organization_id=${organization.id}`, draft);
    expect(await describedBy(token)).toEqual({
      kind: 'personal_access_token',
      id,
      name: 'Release script',
      developer: { id: ann.id, email: ann.email, name: null },
      organization: { id: organization.id, name: 'Example Inc.', plan: 'team' },
      project: null,
      role: null,
      scopes: ['billing:read'],
      expires_at: null,
    });
  });

  it('describes a session, in the header and in the cookie, with the expiry of its access token', async () => {
    const { body } = await ann.get('/credential').expect(200);
    expect(body).toMatchObject({
      kind: 'session',
      id: expect.any(String) as string,
      developer: { id: ann.id, email: ann.email },
      organization: null,
      project: null,
      role: null,
      scopes: null,
    });
    const { expires_at: expiresAt } = body as { expires_at: string };
    expect(new Date(expiresAt).getTime() - app.clock.now().getTime()).toBeLessThanOrEqual(10 * 60_000);
    const cookie = await app.anonymous.get('/api/v1/credential').set('Cookie', `dfdeveloper=${ann.token}`).expect(200);
    expect(cookie.body).toEqual(body);
  });

  // red when: the expiry of the token is returned for its old value
  it('says when the old value of a rotated token stops working', async () => {
    const old = await projectToken();
    const path = `/project-access-tokens/${old.id}/rotate?${scope(project)}`;
    const rotated = (await ann.post(path, { overlap_seconds: 3600 }).expect(200)).body as TokenJson;
    const { expires_at: end, ...rest } = await describedBy(old.token);
    const seconds = (new Date(String(end)).getTime() - app.clock.now().getTime()) / 1000;
    expect(seconds).toBeGreaterThan(3500);
    expect(seconds).toBeLessThanOrEqual(3600);
    expect(await describedBy(rotated.token)).toEqual({ ...rest, expires_at: null });
  });

  it('rejects a revoked token, and one that names another project', async () => {
    const { id, token } = await projectToken();
    const other = await ann.createsProject(organization);
    await app
      .ci(token)
      .get(`/credential?${scope(other)}`)
      .expect(403);
    await ann.delete(`/project-access-tokens/${id}?${scope(project)}`).expect(204);
    await app.ci(token).get('/credential').expect(401);
    await app.anonymous.get('/api/v1/credential').expect(401);
  });
});
