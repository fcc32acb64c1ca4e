import 'reflect-metadata';
import { type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type OrganizationRole, type ProjectRole } from '#kernel/access/roles';
import { ANONYMOUS, type Identity } from '#kernel/context/identity';
import { type AppError } from '#kernel/errors/app-error';
import { ACCESS_KEY, type AccessRule } from '#infra/http/access';
import { AccessGuard } from './access.guard';
import { AccessService } from './access.service';

// Only their types are needed here, not all that they import.
jest.mock('#modules/organizations', () => ({ OrganizationsService: class {} }));
jest.mock('#modules/projects', () => ({ ProjectsService: class {} }));

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

interface Asked {
  readonly rule?: AccessRule;
  readonly identity?: Identity;
  readonly method?: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  /** What the developer holds. */
  readonly roles?: readonly OrganizationRole[] | null;
  readonly role?: ProjectRole | null;
  /** What they ask was answered before. */
  readonly isOwedReplay?: boolean;
}

/** What the guard says: true, or the error; with the query as it leaves it, and the facts it asked for. */
async function ask({ rule, identity = JWT, method = 'GET', params = {}, query = {}, ...held }: Asked) {
  const facts: unknown[] = [];
  const organizations = {
    findRoles: (_: unknown, ...where: unknown[]) => (facts.push(where), Promise.resolve(held.roles ?? null)),
  };
  const projects = {
    findRole: (_: unknown, ...where: unknown[]) => (
      facts.push(where),
      Promise.resolve({ exists: held.role !== undefined, role: held.role ?? null })
    ),
  };
  const handler = (): void => undefined;
  if (rule) Reflect.defineMetadata(ACCESS_KEY, rule, handler);
  const clock = { now: () => new Date(0) };
  const request = { method, params, query, context: { requestId: 'r', sourceIp: null, identity, clock } };
  const execution = { getHandler: () => handler, switchToHttp: () => ({ getRequest: () => request }) };
  const owed = { owes: () => Promise.resolve(held.isOwedReplay ?? false) };
  const service = new AccessService(organizations as never, projects as never);
  const guard = new AccessGuard(new Reflector(), service, owed as never);
  const said: unknown = await guard
    .canActivate(execution as unknown as ExecutionContext)
    .catch((error: AppError) => ({ error: error.errorCase, message: error.message, details: error.details }));
  return { said, facts, query: request.query };
}

describe('the access guard', () => {
  it('refuses a route that nobody has declared', async () => {
    expect((await ask({})).said).toMatchObject({ error: 'internal_error', message: 'A route has no @Access.' });
  });

  it('asks nothing of those who use a public route, or hold an install link', async () => {
    for (const rule of [{ public: true }, { invite: true }] as const) {
      expect(await ask({ rule, identity: ANONYMOUS })).toMatchObject({ said: true, facts: [] });
    }
  });

  it('wants a verified e-mail for whatever changes something, unless the route says otherwise', async () => {
    const rule: AccessRule = { by: ['jwt'] };
    for (const method of ['GET', 'HEAD']) expect((await ask({ rule, method, identity: UNVERIFIED })).said).toBe(true);
    for (const method of ['POST', 'DELETE'])
      expect((await ask({ rule, method, identity: UNVERIFIED })).said).toMatchObject({ error: 'email_not_verified' });
    const post = { method: 'POST', identity: UNVERIFIED };
    expect((await ask({ ...post, rule: { ...rule, verified: false } })).said).toBe(true);
    const strict = await ask({ identity: UNVERIFIED, rule: { ...rule, verified: true } });
    expect(strict.said).toMatchObject({ error: 'email_not_verified' });
  });

  it('names the credential that it wants', async () => {
    const forPeople = await ask({ rule: { by: ['jwt', 'pat'], scope: 'builds:read' }, identity: CI });
    expect(forPeople.said).toMatchObject({
      error: 'interactive_login_required',
      message:
        'This route is for developers: send an access JWT from POST /api/v1/login/email, or a personal access token.',
    });
    const interactive = await ask({ rule: { by: ['jwt'] }, identity: PAT });
    expect(interactive.said).toMatchObject({ error: 'interactive_login_required', details: {} });
    expect(interactive.said).not.toMatchObject({ message: (forPeople.said as Error).message });
    const nobody = await ask({ rule: { by: ['jwt', 'pat'], scope: 'builds:read' }, identity: ANONYMOUS });
    expect(nobody.said).toMatchObject({ error: 'unauthorized' });
    expect(nobody.said).not.toMatchObject({ message: (forPeople.said as Error).message });
  });

  it.each<[string, Asked, string[]]>([
    ['no parents', { rule: BUILDS }, ['organization_id', 'project_id']],
    ['no project', { rule: BUILDS, query: { organization_id: ORGANIZATION } }, ['project_id']],
    ['no organization', { rule: BUILDS, query: { project_id: PROJECT } }, ['organization_id']],
    ['a list', { rule: BUILDS, query: { ...IN_PROJECT, project_id: [PROJECT] } }, ['project_id']],
    ['garbage', { rule: BUILDS, query: { ...IN_PROJECT, organization_id: 'x' } }, ['organization_id']],
    ['no organization of one', { rule: { by: ['jwt'], organization: 'member' } }, ['organization_id']],
  ])('tells those whose credential is good that there is %s', async (_case, asked, fields) => {
    const told = fields.map((field) => ({ field, messages: [`${field} must be a UUID`] }));
    expect(await ask(asked)).toMatchObject({
      said: { error: 'validation_error', details: { fields: told } },
      facts: [],
    });
    expect((await ask({ ...asked, identity: ANONYMOUS })).said).toMatchObject({ error: 'unauthorized' });
  });

  it('asks for no parents where none are wanted', async () => {
    expect(await ask({ rule: { by: ['jwt'] }, query: { organization_id: 'x' } })).toMatchObject({
      said: true,
      facts: [],
    });
  });

  // red when: the query is left as it was sent
  it('looks for the parents in the path, then in the query, in any case, and leaves them in lower case', async () => {
    const rule: AccessRule = { by: ['jwt'], project: 'VIEW_PROJECT' };
    const params = { project_id: PROJECT.toUpperCase() };
    const query = { organization_id: ORGANIZATION.toUpperCase(), project_id: OTHER.toUpperCase(), q: 'ABC' };
    expect(await ask({ rule, params, query, roles: ['MEMBER'], role: 'VIEW_PROJECT' })).toMatchObject({
      said: true,
      facts: [
        [ORGANIZATION, 'ann'],
        [{ organizationId: ORGANIZATION, projectId: PROJECT }, 'ann'],
      ],
      query: { organization_id: ORGANIZATION, project_id: OTHER, q: 'ABC' },
    });
  });

  it('asks for a project only when the route wants one, and the developer belongs to the organization', async () => {
    const member = { rule: { by: ['jwt'], organization: 'member' }, query: IN_PROJECT } as const;
    expect(await ask({ ...member, roles: ['MEMBER'] })).toMatchObject({ said: true, facts: [[ORGANIZATION, 'ann']] });
    expect(await ask({ rule: BUILDS, query: IN_PROJECT, roles: null })).toMatchObject({
      said: { error: 'permission_denied' },
      facts: [[ORGANIZATION, 'ann']],
    });
  });

  it.each<[OrganizationRole[], ProjectRole | null | undefined, unknown]>([
    [['MEMBER'], 'VIEW_PROJECT', true],
    [['READ'], null, true],
    [['READ'], undefined, { error: 'permission_denied', details: {} }],
    [['MEMBER'], null, { error: 'permission_denied', details: {} }],
  ])('lets a member with %j and %s see a project: %j', async (roles, role, said) => {
    expect((await ask({ rule: BUILDS, query: IN_PROJECT, roles, ...(role !== undefined && { role }) })).said).toEqual(
      said === true ? true : expect.objectContaining(said as object),
    );
  });

  it('says which role is missing', async () => {
    const rule: AccessRule = { by: ['jwt'], project: 'MANAGE_PROJECT' };
    const { said } = await ask({ rule, query: IN_PROJECT, roles: ['READ'], role: null });
    expect(said).toMatchObject({ error: 'insufficient_role', details: { required_role: 'MANAGE_PROJECT' } });
  });

  it('lets a request without access through to its replay, but none whose credential is no good here', async () => {
    const repeated = { query: IN_PROJECT, isOwedReplay: true };
    const rule: AccessRule = { by: ['jwt', 'pat'], scope: 'builds:write', project: 'MANAGE_PROJECT' };
    expect((await ask({ ...repeated, rule })).said).toBe(true);
    expect((await ask({ ...repeated, rule, roles: ['READ'], role: null })).said).toBe(true);
    expect((await ask({ ...repeated, rule, identity: PAT })).said).toMatchObject({ error: 'permission_denied' });
    expect((await ask({ ...repeated, rule, identity: ANONYMOUS })).said).toMatchObject({ error: 'unauthorized' });
  });

  it('knows the parents of a project token, which may leave them out but name no others', async () => {
    expect(await ask({ rule: BUILDS, identity: CI, query: { limit: '5' } })).toEqual({
      said: true,
      facts: [],
      query: { ...IN_PROJECT, limit: '5' },
    });
    const query = { ...IN_PROJECT, project_id: OTHER };
    expect(await ask({ rule: BUILDS, identity: CI, query })).toMatchObject({
      said: { error: 'permission_denied' },
      query,
    });
    const inPath = await ask({ rule: BUILDS, identity: CI, params: { project_id: PROJECT } });
    expect(inPath).toMatchObject({ said: true, query: { organization_id: ORGANIZATION } });
    expect(inPath.query).not.toHaveProperty('project_id');
    const elsewhere = await ask({ rule: BUILDS, identity: CI, params: { project_id: OTHER } });
    expect(elsewhere.said).toMatchObject({ error: 'permission_denied' });
    expect((await ask({ rule: BUILDS })).query).toStrictEqual({});
  });

  it('tells a project token of a malformed parent before it says that it belongs elsewhere', async () => {
    const query = { ...IN_PROJECT, project_id: 'x' };
    expect((await ask({ rule: BUILDS, identity: CI, query })).said).toMatchObject({ error: 'validation_error' });
  });
});
