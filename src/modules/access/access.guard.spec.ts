import 'reflect-metadata';
import { type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type AccessFacts, type Parents } from '#kernel/access/policy';
import { type OrganizationRole, type ProjectRole } from '#kernel/access/roles';
import { ANONYMOUS, type Identity } from '#kernel/context/identity';
import { type AppError } from '#kernel/errors/app-error';
import { ACCESS_KEY, type AccessRule } from '#infra/http/access';
import { AccessGuard } from './access.guard';
import { AccessService } from './access.service';

// Only the type of this module is needed, so the mock keeps its imports from being loaded.
jest.mock('#modules/organizations', () => ({ OrganizationsService: class {} }));

const ORGANIZATION = '01890000-0000-7000-8000-00000000000a';
const PROJECT = '01890000-0000-7000-8000-00000000000b';
const OTHER = '01890000-0000-7000-8000-00000000000c';
const person = { developerId: 'ann', email: 'ann@example.com', emailVerified: true };
const JWT: Identity = { kind: 'jwt', ...person };
const UNVERIFIED: Identity = { ...JWT, emailVerified: false };
const PAT: Identity = { kind: 'pat', tokenId: 'p', ...person, organizationId: ORGANIZATION, scopes: ['builds:read'] };
const CI: Identity = {
  kind: 'project-token',
  tokenId: 't',
  tokenName: 'CI',
  organizationId: ORGANIZATION,
  projectId: PROJECT,
  role: 'UPLOAD_BUILD',
};
const BUILDS: AccessRule = { by: ['jwt', 'pat', 'project-token'], scope: 'builds:read', project: 'VIEW_PROJECT' };
const IN_PROJECT = { organization_id: ORGANIZATION, project_id: PROJECT };

interface GuardedRequest {
  readonly rule?: AccessRule;
  readonly identity?: Identity;
  readonly method?: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  /** The developer's organization roles; null when they are not a member. */
  readonly roles?: readonly OrganizationRole[] | null;
  /** The developer's own project role; undefined when the project does not exist. */
  readonly role?: ProjectRole | null;
  /** The roles that authentication has read. */
  readonly accessFacts?: AccessFacts;
  /** The request repeats one whose response is stored. */
  readonly hasStoredResponse?: boolean;
}

/** Runs the guard. Returns its result (true or the error), its look-ups, and the query and the context as the guard leaves them. */
async function runGuard({
  rule,
  identity = JWT,
  method = 'GET',
  params = {},
  query = {},
  accessFacts,
  ...held
}: GuardedRequest) {
  const lookups: unknown[] = [];
  const projects = {
    factsOf: (_: unknown, parents: Parents, developerId: string) => (
      lookups.push([parents, developerId]),
      Promise.resolve({
        ...parents,
        organizationRoles: held.roles ?? null,
        projectRole: held.role ?? null,
        projectExists: held.role !== undefined,
      })
    ),
  };
  const handler = (): void => undefined;
  if (rule) Reflect.defineMetadata(ACCESS_KEY, rule, handler);
  const clock = { now: () => new Date(0) };
  const request = { method, params, query, accessFacts, context: { requestId: 'r', sourceIp: null, identity, clock } };
  const execution = { getHandler: () => handler, switchToHttp: () => ({ getRequest: () => request }) };
  const replays = { find: () => Promise.resolve(held.hasStoredResponse ?? false) };
  const service = new AccessService({} as never, projects as never);
  const guard = new AccessGuard(new Reflector(), service, replays as never);
  const result: unknown = await guard
    .canActivate(execution as unknown as ExecutionContext)
    .catch((error: AppError) => ({ error: error.errorCase, message: error.message, details: error.details }));
  return { result, lookups, query: request.query, context: request.context };
}

describe('AccessGuard', () => {
  it('rejects every request to a route without @Access', async () => {
    expect((await runGuard({})).result).toMatchObject({ error: 'internal_error', message: 'A route has no @Access.' });
  });

  it('looks up nothing for a public route or an install link', async () => {
    for (const rule of [{ public: true }, { invite: true }] as const) {
      expect(await runGuard({ rule, identity: ANONYMOUS })).toMatchObject({ result: true, lookups: [] });
    }
  });

  it('requires a verified e-mail for every method except GET and HEAD, unless the rule sets `verified`', async () => {
    const rule: AccessRule = { by: ['jwt'] };
    for (const method of ['GET', 'HEAD'])
      expect((await runGuard({ rule, method, identity: UNVERIFIED })).result).toBe(true);
    for (const method of ['POST', 'DELETE'])
      expect((await runGuard({ rule, method, identity: UNVERIFIED })).result).toMatchObject({
        error: 'email_not_verified',
      });
    const post = { method: 'POST', identity: UNVERIFIED };
    expect((await runGuard({ ...post, rule: { ...rule, verified: false } })).result).toBe(true);
    const strict = await runGuard({ identity: UNVERIFIED, rule: { ...rule, verified: true } });
    expect(strict.result).toMatchObject({ error: 'email_not_verified' });
  });

  it('names the kind of credential that the route accepts', async () => {
    const developerRoute = await runGuard({ rule: { by: ['jwt', 'pat'], scope: 'builds:read' }, identity: CI });
    expect(developerRoute.result).toMatchObject({
      error: 'interactive_login_required',
      message:
        'This route is for developers: send an access JWT from POST /api/v1/login/email, or a personal access token.',
    });
    const interactive = await runGuard({ rule: { by: ['jwt'] }, identity: PAT });
    expect(interactive.result).toMatchObject({ error: 'interactive_login_required', details: {} });
    expect(interactive.result).not.toMatchObject({ message: (developerRoute.result as Error).message });
    const anonymous = await runGuard({ rule: { by: ['jwt', 'pat'], scope: 'builds:read' }, identity: ANONYMOUS });
    expect(anonymous.result).toMatchObject({ error: 'unauthorized' });
    expect(anonymous.result).not.toMatchObject({ message: (developerRoute.result as Error).message });
  });

  it.each<[string, GuardedRequest, string[]]>([
    ['are both missing', { rule: BUILDS }, ['organization_id', 'project_id']],
    ['lack the project', { rule: BUILDS, query: { organization_id: ORGANIZATION } }, ['project_id']],
    ['lack the organization', { rule: BUILDS, query: { project_id: PROJECT } }, ['organization_id']],
    ['contain a list', { rule: BUILDS, query: { ...IN_PROJECT, project_id: [PROJECT] } }, ['project_id']],
    [
      'contain a value that is not a UUID',
      { rule: BUILDS, query: { ...IN_PROJECT, organization_id: 'x' } },
      ['organization_id'],
    ],
    [
      'lack the organization of a route without a project',
      { rule: { by: ['jwt'], organization: 'member' } },
      ['organization_id'],
    ],
  ])('reports to an accepted credential only that the parents %s', async (_case, request, fields) => {
    const reported = fields.map((field) => ({ field, messages: [`${field} must be a UUID`] }));
    expect(await runGuard(request)).toMatchObject({
      result: { error: 'validation_error', details: { fields: reported } },
      lookups: [],
    });
    expect((await runGuard({ ...request, identity: ANONYMOUS })).result).toMatchObject({ error: 'unauthorized' });
  });

  it('ignores a malformed parent when the route needs none', async () => {
    expect(await runGuard({ rule: { by: ['jwt'] }, query: { organization_id: 'x' } })).toMatchObject({
      result: true,
      lookups: [],
    });
  });

  // red when: the guard does not normalize the query
  it('reads the parents from the path, then from the query, in upper or lower case, and writes them in lower case', async () => {
    const rule: AccessRule = { by: ['jwt'], project: 'VIEW_PROJECT' };
    const params = { project_id: PROJECT.toUpperCase() };
    const query = { organization_id: ORGANIZATION.toUpperCase(), project_id: OTHER.toUpperCase(), q: 'ABC' };
    expect(await runGuard({ rule, params, query, roles: ['MEMBER'], role: 'VIEW_PROJECT' })).toMatchObject({
      result: true,
      lookups: [[{ organizationId: ORGANIZATION, projectId: PROJECT }, 'ann']],
      query: { organization_id: ORGANIZATION, project_id: OTHER, q: 'ABC' },
    });
  });

  it('looks up the project only when the route needs one', async () => {
    const member = { rule: { by: ['jwt'], organization: 'member' }, query: IN_PROJECT } as const;
    expect(await runGuard({ ...member, roles: ['MEMBER'] })).toMatchObject({
      result: true,
      lookups: [[{ organizationId: ORGANIZATION, projectId: null }, 'ann']],
    });
    expect(await runGuard({ rule: BUILDS, query: IN_PROJECT, roles: null })).toMatchObject({
      result: { error: 'permission_denied' },
      lookups: [[{ organizationId: ORGANIZATION, projectId: PROJECT }, 'ann']],
    });
  });

  it('decides by the roles that were read with the credential, without a look-up', async () => {
    const accessFacts: AccessFacts = {
      organizationId: ORGANIZATION,
      projectId: PROJECT,
      organizationRoles: ['MEMBER'],
      projectRole: null,
      projectExists: true,
    };
    const request = { rule: BUILDS, query: IN_PROJECT };
    expect(await runGuard({ ...request, accessFacts })).toMatchObject({
      result: { error: 'permission_denied' },
      lookups: [],
    });
    expect(await runGuard({ ...request, accessFacts: { ...accessFacts, projectRole: 'VIEW_PROJECT' } })).toMatchObject({
      result: true,
      lookups: [],
    });
  });

  it.each<[OrganizationRole[], ProjectRole | null | undefined, unknown]>([
    [['MEMBER'], 'VIEW_PROJECT', true],
    [['READ'], null, true],
    [['READ'], undefined, { error: 'permission_denied', details: {} }],
    [['MEMBER'], null, { error: 'permission_denied', details: {} }],
  ])(
    'for organization roles %j and project role %s on a route for VIEW_PROJECT, returns %j',
    async (roles, role, expected) => {
      expect(
        (await runGuard({ rule: BUILDS, query: IN_PROJECT, roles, ...(role !== undefined && { role }) })).result,
      ).toEqual(expected === true ? true : expect.objectContaining(expected as object));
    },
  );

  it('adds the effective project role to the context', async () => {
    const { context } = await runGuard({ rule: BUILDS, query: IN_PROJECT, roles: ['READ'], role: 'UPLOAD_BUILD' });
    expect(context).toMatchObject({ requestId: 'r', identity: JWT, projectRole: 'UPLOAD_BUILD' });
    const { context: outside } = await runGuard({ rule: { by: ['jwt'] } });
    expect(outside).toMatchObject({ requestId: 'r', identity: JWT, projectRole: null });
  });

  // red when: a caller without a role takes the turns of the organization that they name
  it('adds the organization to the context of an admitted developer alone', async () => {
    const request = { rule: BUILDS, query: IN_PROJECT, role: null };
    expect((await runGuard({ ...request, roles: ['READ'] })).context).toMatchObject({ organizationId: ORGANIZATION });
    expect((await runGuard({ ...request, roles: null })).context).not.toHaveProperty('organizationId');
    const anywhere = await runGuard({ rule: { by: ['jwt'] }, query: IN_PROJECT });
    expect(anywhere.context).not.toHaveProperty('organizationId');
  });

  it('names the missing role', async () => {
    const rule: AccessRule = { by: ['jwt'], project: 'MANAGE_PROJECT' };
    const { result } = await runGuard({ rule, query: IN_PROJECT, roles: ['READ'], role: null });
    expect(result).toMatchObject({ error: 'insufficient_role', details: { required_role: 'MANAGE_PROJECT' } });
  });

  it('passes a request whose stored response is replayed, unless the route does not accept the credential', async () => {
    const repeated = { query: IN_PROJECT, hasStoredResponse: true };
    const rule: AccessRule = { by: ['jwt', 'pat'], scope: 'builds:write', project: 'MANAGE_PROJECT' };
    expect((await runGuard({ ...repeated, rule })).result).toBe(true);
    expect((await runGuard({ ...repeated, rule, roles: ['READ'], role: null })).result).toBe(true);
    expect((await runGuard({ ...repeated, rule, identity: PAT })).result).toMatchObject({ error: 'permission_denied' });
    expect((await runGuard({ ...repeated, rule, identity: ANONYMOUS })).result).toMatchObject({
      error: 'unauthorized',
    });
  });

  it('fills in the parents of a project token, and rejects other parents', async () => {
    expect(await runGuard({ rule: BUILDS, identity: CI, query: { limit: '5' } })).toEqual({
      result: true,
      lookups: [],
      query: { ...IN_PROJECT, limit: '5' },
      context: expect.anything() as unknown,
    });
    const query = { ...IN_PROJECT, project_id: OTHER };
    expect(await runGuard({ rule: BUILDS, identity: CI, query })).toMatchObject({
      result: { error: 'permission_denied' },
      query,
    });
    const inPath = await runGuard({ rule: BUILDS, identity: CI, params: { project_id: PROJECT } });
    expect(inPath).toMatchObject({ result: true, query: { organization_id: ORGANIZATION } });
    expect(inPath.query).not.toHaveProperty('project_id');
    const elsewhere = await runGuard({ rule: BUILDS, identity: CI, params: { project_id: OTHER } });
    expect(elsewhere.result).toMatchObject({ error: 'permission_denied' });
    expect((await runGuard({ rule: BUILDS })).query).toStrictEqual({});
  });

  it('reports a malformed parent to a project token before it rejects another project', async () => {
    const query = { ...IN_PROJECT, project_id: 'x' };
    expect((await runGuard({ rule: BUILDS, identity: CI, query })).result).toMatchObject({ error: 'validation_error' });
  });
});
