import { sign } from 'jsonwebtoken';
import {
  ORGANIZATION_ROLES,
  type OrganizationRole,
  PAT_SCOPES,
  PROJECT_ROLES,
  type ProjectRole,
} from '#kernel/access/roles';
import { newToken } from '#kernel/access/token-format';
import { Secrets } from '#infra/crypto/secrets';
import { type CredentialAccess } from '#infra/http/access';
import { credentialAccessOf, type DeclaredRoute, declaredRoutes } from '#app/routes';
import { type Developer, scope } from '../../support/actors/actors';
import { createTenant, type Tenant, verifiedDeveloper } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';
import { errorOf, type Ids, idsNamedBy, idsOf, requestRoute } from '../../support/checks/routes/route-requests';

/** The properties of a credential that the access rules depend on; null for a missing or invalid credential. */
type Holder =
  | null
  | {
      readonly kind: 'jwt' | 'pat';
      readonly verified: boolean;
      /** The roles in tenant A; null when the developer is not a member. */
      readonly roles: readonly OrganizationRole[] | null;
      readonly projectRole: ProjectRole | null;
      /** The scopes of a personal access token. */
      readonly scopes: readonly string[];
      /** Whether the personal access token is bound to tenant A. */
      readonly bound: boolean;
    }
  | { readonly kind: 'project-token'; readonly role: ProjectRole; readonly bound: boolean };

interface Credential {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly holder: Holder;
}

/** The expected error response. */
type Refusal = readonly [status: number, error: string, requiredRole?: string];

/** A second implementation of the access rules, independent of the policy: roles as numbers, refusals in their order. */
const RANK: Record<ProjectRole, number> = {
  VIEW_PROJECT: 1,
  DOWNLOAD_BUILD: 2,
  UPLOAD_BUILD: 3,
  MANAGE_TESTERS: 4,
  MANAGE_RELEASES: 5,
  MANAGE_PROJECT: 6,
};
const IMPLIED: Partial<Record<OrganizationRole, number>> = { READ: 1, MANAGER: 6, ADMIN: 6 };

function expectedRefusal(route: DeclaredRoute, access: CredentialAccess, holder: Holder): Refusal | null {
  if (!holder) return [401, 'unauthorized'];
  if (!access.by.includes(holder.kind)) return [403, 'operation_not_allowed'];
  return holder.kind === 'project-token'
    ? expectedOfToken(access, holder)
    : expectedOfDeveloper(access, holder, access.verified ?? !['GET', 'HEAD'].includes(route.method));
}

function expectedOfToken(
  { project, self }: CredentialAccess,
  holder: Holder & { kind: 'project-token' },
): Refusal | null {
  if (self) return null;
  if (!holder.bound || !project) return [403, 'permission_denied'];
  return RANK[holder.role] < RANK[project] ? [403, 'insufficient_role', project] : null;
}

function expectedOfDeveloper(
  { organization, project, scope: required, self }: CredentialAccess,
  { kind, verified, scopes, bound, roles, projectRole }: Holder & { kind: 'jwt' | 'pat' },
  mustBeVerified: boolean,
): Refusal | null {
  if (mustBeVerified && !verified) return [403, 'email_not_verified'];
  const ofTenant = organization !== undefined || project !== undefined;
  if (self) return null;
  if (kind === 'pat' && (!scopes.includes(required ?? '') || (ofTenant && !bound))) return [403, 'permission_denied'];
  if (!ofTenant) return null;
  if (!roles) return [403, 'permission_denied'];
  const rank = Math.max(projectRole ? RANK[projectRole] : 0, ...roles.map((role) => IMPLIED[role] ?? 0));
  if (project && rank === 0) return [403, 'permission_denied'];
  return expectedOfRoles(roles, rank, organization, project);
}

function expectedOfRoles(
  roles: readonly OrganizationRole[],
  rank: number,
  organization: CredentialAccess['organization'],
  project: ProjectRole | undefined,
): Refusal | null {
  if (Array.isArray(organization)) {
    const enough: readonly string[] = ['ADMIN', ...(organization as string[])];
    if (!roles.some((role) => enough.includes(role))) return [403, 'insufficient_role', String(organization[0])];
  }
  return project && rank < RANK[project] ? [403, 'insufficient_role', project] : null;
}

/**
 * The roles that a handler checks itself: only an ADMIN may remove the membership of another developer, and list the webhooks of the whole
 * organization.
 */
const DEMANDED_BY_HANDLER: Readonly<Record<string, CredentialAccess['organization']>> = {
  'MembersController.remove': ['ADMIN'],
  'WebhooksController.list': ['ADMIN'],
};

/** The only credential of a logout whose access token has expired. */
const REFRESH_COOKIE_ONLY = 'refresh cookie only';

const bearer = (token: string): Record<string, string> => ({ Authorization: `Bearer ${token}` });

/** Tries every route with every kind of credential. */
describe('the access matrix', () => {
  let app: TestApp;
  let a: Tenant;
  let b: Tenant;
  const credentials: Credential[] = [];
  beforeAll(async () => {
    app = await TestApp.start();
    [a, b] = await Promise.all([createTenant(app), createTenant(app)]);
    credentials.push(...(await credentialsOf(app, a, b)));
  });
  afterAll(() => app.stop());

  const credentialRoutes = (): [DeclaredRoute, CredentialAccess][] =>
    declaredRoutes(app.nest).flatMap((route) => {
      const access = credentialAccessOf(route);
      const organization = DEMANDED_BY_HANDLER[route.name] ?? access?.organization;
      return access
        ? [[route, { ...access, ...(organization && { organization }) }] as [DeclaredRoute, CredentialAccess]]
        : [];
    });

  /** The parents of tenant A, and resources that do not exist, so that an accepted request changes nothing. */
  const idsFor = (route: DeclaredRoute): Ids =>
    Object.fromEntries(
      Object.entries(idsOf(a, route)).map(([name, id]) => [
        name,
        ['organization_id', 'project_id'].includes(name) ? id : '00000000-0000-7000-8000-000000000000',
      ]),
    );

  /** Tries one cell of the matrix. Returns the difference from the expected response; null when there is none. */
  const check = async (
    { name: credential, headers, holder }: Credential,
    route: DeclaredRoute,
    access: CredentialAccess,
  ): Promise<object | null> => {
    const accepted = access.orRefreshToken === true && credential === REFRESH_COOKIE_ONLY;
    const expected = accepted ? null : expectedRefusal(route, access, holder);
    const response = await requestRoute(app.url, route, {
      ids: idsFor(route),
      headers,
      ...(expected && !(route.name in DEMANDED_BY_HANDLER) && { body: '{"this is no JSON' }),
    });
    const error = errorOf(response);
    const got = [response.status, error?.error, error?.details['required_role']];
    // The response to HEAD has no body.
    const compared = route.method === 'HEAD' ? got.slice(0, 1) : got;
    const isExpected = expected
      ? compared.every((value, index) => value === expected[index])
      : response.status < 500 && ![401, 403].includes(response.status);
    const namesCredential =
      route.method === 'HEAD' || expected?.[1] !== 'operation_not_allowed' || /access JWT/.test(error?.message ?? '');
    return isExpected && namesCredential ? null : { route: route.name, credential, expected, got };
  };

  it('covers every route of the server', () => {
    interface Layer {
      readonly route?: { readonly path: string; readonly methods: Readonly<Record<string, boolean>> };
    }
    const { router } = app.nest.getHttpAdapter().getInstance() as unknown as { router: { stack: Layer[] } };
    const served = router.stack.flatMap(({ route }) =>
      // Nest registers a catch-all route that returns 404.
      route && !route.path.endsWith('/*path')
        ? Object.keys(route.methods).map((method) => `${method.toUpperCase()} ${route.path}`)
        : [],
    );
    const declared = declaredRoutes(app.nest).map(
      ({ method, template }) => `${method} ${template.replace(/\{(\w+)\}/g, ':$1')}`,
    );
    const documentation = /^GET \/api\/v1\/(docs|openapi\.json)/;
    // red when: a handler is added to the Express application without a controller
    expect(served.filter((route) => !declared.includes(route) && !documentation.test(route))).toEqual([]);
    expect(declared.filter((route) => !served.includes(route))).toEqual([]);
    expect(declared.length).toBeGreaterThan(50);
  });

  it('has the expected response in every cell, and rejects a request before it reads the body', async () => {
    const wrong: (object | null)[] = [];
    const routes = credentialRoutes();
    let cells = 0;
    for (const credential of credentials) {
      // Routes that accept no personal access token are tried only with the token that has all scopes.
      const narrow = credential.holder?.kind === 'pat' && credential.holder.scopes.length === 1;
      const tried = routes.filter(([, { by }]) => !narrow || by.includes('pat'));
      // Logging out ends the session, so it is tried last.
      const logout = tried.findIndex(([{ path }]) => path.endsWith('/logout'));
      const last = logout < 0 ? [] : tried.splice(logout, 1);
      wrong.push(...(await Promise.all(tried.map((route) => check(credential, ...route)))));
      for (const route of last) wrong.push(await check(credential, ...route));
      cells += tried.length + last.length;
    }
    // red when: a guard is not registered; refuseCredential or refuseRole is skipped; min_issued_at is not compared
    expect(wrong.filter((cell) => cell !== null)).toEqual([]);
    expect(cells).toBeGreaterThan(1_500);
  }, 300_000);

  it('ignores credentials on public routes', async () => {
    for (const route of declaredRoutes(app.nest).filter((candidate) => !credentialAccessOf(candidate))) {
      if (/^\/(install|download|assets|icons)|^\/login/.test(route.path)) continue;
      const ids = Object.fromEntries(idsNamedBy(route).map((name) => [name, '00000000-0000-7000-8000-000000000000']));
      const [plain, garbage] = await Promise.all([
        requestRoute(app.url, route, { ids }),
        requestRoute(app.url, route, { ids, headers: bearer('garbage') }),
      ]);
      expect([route.name, garbage.status]).toEqual([route.name, plain.status]);
      expect([401, 403]).not.toContain(plain.status);
    }
  });

  it('reports a missing or malformed parent only to accepted credentials', async () => {
    const list = `/builds?organization_id=${a.organization.id}`;
    expect((await a.admin.get(list).expect(400)).body).toMatchObject({
      error: 'validation_error',
      details: { fields: [{ field: 'project_id' }] },
    });
    await a.admin.get(`${list}&project_id=7`).expect(400);
    await a.admin.get(`${list}&project_id=${a.project.id}&project_id=${a.project.id}`).expect(400);
    await app.ci('garbage').get(list).expect(401);
    // red when: AccessGuard checks a parent that the route does not need
    await a.admin.get('/organizations?organization_id=7').expect(200);
    // red when: AccessGuard checks the parents before the kind of the credential
    expect((await app.ci(a.pat.token).get('/pats').expect(403)).body).toMatchObject({ error: 'operation_not_allowed' });
    // CI may omit the parents that its token is bound to, but not name others.
    await app.ci(a.projectToken.token).get('/builds').expect(200);
    await app
      .ci(a.projectToken.token)
      .get(`/builds?${scope(b.project)}`)
      .expect(403);
  });

  it('applies the loss of a role, a membership and a token to the next request', async () => {
    const eve = await verifiedDeveloper(app);
    const look = () => eve.get(`/builds?${scope(a.project)}`);
    await app.sql(`INSERT INTO membership VALUES ($1, $2, '{MANAGER}', now())`, [a.organization.id, eve.id]);
    const draft = { name: 'x', scopes: PAT_SCOPES };
    const { token } = (await eve.post(`/pats?organization_id=${a.organization.id}`, draft).expect(201)).body as {
      token: string;
    };
    const pat = app.ci(token);
    await pat.delete(`/builds/${b.build.id}?${scope(a.project)}`).expect(404);
    await app.sql(`UPDATE membership SET roles = '{READ}' WHERE developer_id = $1`, [eve.id]);
    // red when: roles are cached
    expect((await pat.delete(`/builds/${b.build.id}?${scope(a.project)}`).expect(403)).body).toMatchObject({
      error: 'insufficient_role',
      details: { required_role: 'MANAGE_RELEASES' },
    });
    await look().expect(200);
    await app.sql('DELETE FROM membership WHERE developer_id = $1', [eve.id]);
    await look().expect(403);
    await pat.get(`/builds?${scope(a.project)}`).expect(401);
  });
});

const NOT_A_MEMBER = { verified: true, roles: null, projectRole: null, scopes: [], bound: false } as const;

/** The columns of the matrix. Each credential has its own developer, so that cells do not affect each other. */
async function credentialsOf(app: TestApp, a: Tenant, b: Tenant): Promise<Credential[]> {
  const issue = async (developer: Developer, path: string, body: object): Promise<string> =>
    ((await developer.post(path, body).expect(201)).body as { token: string }).token;
  const joins = async (
    roles: readonly OrganizationRole[],
    projectRole: ProjectRole | null = null,
  ): Promise<Developer> => {
    const developer = await verifiedDeveloper(app);
    await app.sql('INSERT INTO membership VALUES ($1, $2, $3, now())', [a.organization.id, developer.id, roles]);
    if (projectRole) {
      const values = [a.organization.id, a.project.id, developer.id, projectRole];
      await app.sql('INSERT INTO project_membership VALUES ($1, $2, $3, $4)', values);
    }
    return developer;
  };
  const bad = await badCredentials(app, a, b);

  const members = [
    ...ORGANIZATION_ROLES.map((role) => [[role], null] as const),
    ...PROJECT_ROLES.map((role) => [['MEMBER'], role] as const),
    [['READ'], 'MANAGE_RELEASES'] as const,
    [['BILLING', 'AUDITOR'], 'DOWNLOAD_BUILD'] as const,
  ];
  const developers = await Promise.all(
    members.map(async ([roles, projectRole]): Promise<Credential> => {
      const { token } = await joins(roles, projectRole);
      const holder = { ...NOT_A_MEMBER, kind: 'jwt' as const, roles, projectRole };
      return { name: `JWT of ${roles.join('+')} ${projectRole ?? ''}`, headers: bearer(token), holder };
    }),
  );
  const admin = await joins(['ADMIN']);
  const unverified = await joins(['ADMIN']);
  const unverifiedPat = await issue(unverified, `/pats?organization_id=${a.organization.id}`, {
    name: 'x',
    scopes: PAT_SCOPES,
  });
  await app.sql('UPDATE developer SET email_verified_at = NULL WHERE id = $1', [unverified.id]);
  const asAdmin = { ...NOT_A_MEMBER, kind: 'jwt' as const, roles: ['ADMIN' as const] };
  developers.push(
    { name: 'JWT in the cookie', headers: { Cookie: `dfdeveloper=${admin.token}` }, holder: asAdmin },
    { name: 'JWT, unverified', headers: bearer(unverified.token), holder: { ...asAdmin, verified: false } },
    { name: 'JWT of B', headers: bearer(b.member.token), holder: { ...NOT_A_MEMBER, kind: 'jwt' } },
  );

  const patOf = async (
    name: string,
    roles: readonly OrganizationRole[],
    scopes: readonly string[],
  ): Promise<Credential> => {
    const owner = await joins(['ADMIN']);
    const token = await issue(owner, `/pats?organization_id=${a.organization.id}`, { name, scopes });
    await app.sql('UPDATE membership SET roles = $2 WHERE developer_id = $1', [owner.id, roles]);
    return { name, headers: bearer(token), holder: { ...NOT_A_MEMBER, kind: 'pat', roles, scopes, bound: true } };
  };
  const pats = await Promise.all([
    ...PAT_SCOPES.map((patScope) => patOf(`PAT ${patScope}`, ['ADMIN'], [patScope])),
    patOf('PAT, all scopes', ['ADMIN'], PAT_SCOPES),
    patOf('PAT, all scopes, owner has only READ left', ['READ'], PAT_SCOPES),
    patOf('PAT, all scopes, owner has only MEMBER left', ['MEMBER'], PAT_SCOPES),
  ]);
  pats.push(
    {
      name: 'PAT, unverified',
      headers: bearer(unverifiedPat),
      holder: { ...asAdmin, kind: 'pat', verified: false, scopes: PAT_SCOPES, bound: true },
    },
    { name: 'PAT of B', headers: bearer(b.pat.token), holder: { ...NOT_A_MEMBER, kind: 'pat', scopes: PAT_SCOPES } },
  );

  const tokens = await Promise.all(
    PROJECT_ROLES.map(async (role): Promise<Credential> => {
      const token = await a.admin.createsToken(a.project, role);
      return {
        name: `project token ${role}`,
        headers: bearer(token),
        holder: { kind: 'project-token', role, bound: true },
      };
    }),
  );
  const elsewhere = await a.admin.createsToken(await a.admin.createsProject(a.organization), 'MANAGE_PROJECT');
  for (const [name, token] of [
    ['project token of another project of A', elsewhere],
    ['project token of B', b.projectToken.token],
  ] as const) {
    const holder = { kind: 'project-token' as const, role: 'MANAGE_PROJECT' as const, bound: false };
    tokens.push({ name, headers: bearer(token), holder });
  }
  return [...bad, ...developers, ...pats, ...tokens];
}

/** Credentials that every route rejects. */
async function badCredentials(app: TestApp, a: Tenant, b: Tenant): Promise<Credential[]> {
  const key = app.nest.get(Secrets).signingKeys[0]!;
  const jwt = (claims: object): string => {
    const iat = Date.now() / 1000;
    const { id: sub, email } = a.admin;
    const good = { sub, email, iss: 'agate-local', aud: 'agate-api', iat, exp: iat + 600 };
    return sign({ ...good, ...claims }, key.privateKey, { algorithm: 'RS256', keyid: key.id });
  };
  const loggedOut = await verifiedDeveloper(app);
  await app.ci(loggedOut.token).post('/login/logout').expect(204);
  const revoke = async (column: 'revoked_at' | 'expires_at'): Promise<string> => {
    const token = await a.admin.createsToken(a.project, 'MANAGE_PROJECT');
    await app.sql(`UPDATE project_access_token SET ${column} = now() WHERE last4 = $1`, [token.slice(-4)]);
    return token;
  };
  const deadPat = async (column: 'revoked_at' | 'expires_at'): Promise<string> => {
    const draft = { name: 'x', scopes: PAT_SCOPES };
    const issued = await a.admin.post(`/pats?organization_id=${a.organization.id}`, draft).expect(201);
    const { id, token } = issued.body as { id: string; token: string };
    await app.sql(`UPDATE personal_access_token SET ${column} = now() WHERE id = $1`, [id]);
    return token;
  };
  const seconds = Date.now() / 1000;
  const cookie = { Cookie: `dfdeveloper=${a.member.token}` };
  const headers: Record<string, Record<string, string>> = {
    none: {},
    'garbage bearer': bearer('garbage'),
    'empty bearer with a valid cookie': { ...cookie, Authorization: 'Bearer' },
    'Basic with a valid cookie': { ...cookie, Authorization: `Basic ${btoa(`${a.admin.email}:${a.admin.password}`)}` },
    'invalid bearer with a valid cookie': { ...cookie, ...bearer('garbage') },
    'JWT without Bearer': { Authorization: a.admin.token },
    'expired JWT': bearer(jwt({ iat: seconds - 700, exp: seconds - 100 })),
    'JWT issued before a logout': bearer(loggedOut.token),
    'JWT with a wrong aud': bearer(jwt({ aud: 'somebody-else' })),
    'unknown project token': bearer(newToken('ag_prj_')),
    'unknown PAT': bearer(newToken('ag_pat_')),
    'mistyped project token': bearer(`${a.projectToken.token.slice(0, -1)}~`),
    'revoked project token': bearer(await revoke('revoked_at')),
    'expired project token': bearer(await revoke('expires_at')),
    'revoked PAT': bearer(await deadPat('revoked_at')),
    'expired PAT': bearer(await deadPat('expires_at')),
    'refresh token as bearer': bearer(a.member.refreshToken),
    [REFRESH_COOKIE_ONLY]: { Cookie: `dfdeveloper_refresh=${a.member.refreshToken}` },
    'project token in the cookie': { Cookie: `dfdeveloper=${a.projectToken.token}` },
    'PAT in the cookie': { Cookie: `dfdeveloper=${a.pat.token}` },
    'install link as bearer': bearer(new URL(b.build.install_url).pathname.split('/').at(-1) ?? ''),
  };
  return Object.entries(headers).map(([name, value]) => ({ name, headers: value, holder: null }));
}
