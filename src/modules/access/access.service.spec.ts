import { type OrganizationRole, type ProjectRole } from '#kernel/access/roles';
import { ANONYMOUS, type Identity } from '#kernel/context/identity';
import { AccessService } from './access.service';

// Only the type of this module is needed, so the mock keeps its imports from being loaded.
jest.mock('#modules/organizations', () => ({ OrganizationsService: class {} }));

describe('AccessService', () => {
  const ctx = { requestId: 'r', sourceIp: null, identity: ANONYMOUS, clock: { now: () => new Date(0) } };
  const scope = { organizationId: 'organization', projectId: 'project' };
  const serviceOf = (
    roles: readonly OrganizationRole[] | null,
    project: { exists: boolean; role: ProjectRole | null } = { exists: true, role: null },
  ): AccessService =>
    new AccessService(
      { findRoles: () => Promise.resolve(roles) } as never,
      {
        factsOf: () =>
          Promise.resolve({
            ...scope,
            organizationRoles: roles,
            projectRole: project.role,
            projectExists: project.exists,
          }),
      } as never,
    );

  describe('require', () => {
    const more = { project: 'MANAGE_RELEASES', scope: 'releases:write' } as const;
    const person = { developerId: 'ann', email: 'ann@example.com', emailVerified: true };
    const pat = { kind: 'pat' as const, tokenId: 'pat', ...person, organizationId: scope.organizationId };
    const token = { kind: 'project-token' as const, tokenId: 'token', tokenName: 'CI', ...scope };
    const requireAs = (identity: Identity, role: ProjectRole | null = null): Promise<void> =>
      serviceOf(['MEMBER'], { exists: true, role }).require({ ...ctx, identity }, scope, more);

    it.each<[string, Identity, ProjectRole | null]>([
      ['a developer with the role', { kind: 'jwt', ...person }, 'MANAGE_RELEASES'],
      ['a personal access token with the scope and the role', { ...pat, scopes: ['releases:write'] }, 'MANAGE_PROJECT'],
      ['a project access token with the role', { ...token, role: 'MANAGE_RELEASES' }, null],
    ])('accepts %s', async (_, identity, role) => expect(await requireAs(identity, role)).toBeUndefined());

    it.each<[string, Identity, ProjectRole | null, string]>([
      ['a developer with a lower role', { kind: 'jwt', ...person }, 'UPLOAD_BUILD', 'insufficient_role'],
      ['a developer without a role', { kind: 'jwt', ...person }, null, 'permission_denied'],
      [
        'an address that is not verified',
        { kind: 'jwt', ...person, emailVerified: false },
        'MANAGE_PROJECT',
        'email_not_verified',
      ],
      ['a token without the scope', { ...pat, scopes: ['builds:upload'] }, 'MANAGE_PROJECT', 'permission_denied'],
      [
        'a project access token with a lower role',
        { ...token, role: 'UPLOAD_BUILD' },
        'MANAGE_PROJECT',
        'insufficient_role',
      ],
      [
        'a token of another project',
        { ...token, projectId: 'other', role: 'MANAGE_PROJECT' },
        null,
        'permission_denied',
      ],
      ['a caller without an account', ANONYMOUS, 'MANAGE_PROJECT', 'unauthorized'],
    ])('rejects %s', async (_, identity, role, errorCase) =>
      expect(requireAs(identity, role)).rejects.toMatchObject({ errorCase }),
    );
  });

  it.each<[OrganizationRole[] | null, boolean, ProjectRole | null, ProjectRole | null]>([
    [['MEMBER'], true, null, null],
    [['MEMBER'], true, 'UPLOAD_BUILD', 'UPLOAD_BUILD'],
    [['READ'], true, 'UPLOAD_BUILD', 'UPLOAD_BUILD'],
    [['READ'], true, null, 'VIEW_PROJECT'],
    [['MANAGER'], true, 'VIEW_PROJECT', 'MANAGE_PROJECT'],
    [['MANAGER'], false, null, null],
    [null, true, 'MANAGE_PROJECT', null],
  ])(
    'combines organization roles %j, in a project that exists (%s) with the own role %s, to %s',
    async (roles, exists, role, effective) => {
      expect(await serviceOf(roles, { exists, role }).projectRoleOf(ctx, scope, 'ann')).toBe(effective);
    },
  );

  it.each<[OrganizationRole[] | null, boolean]>([
    [['MEMBER', 'ADMIN'], true],
    [['MANAGER', 'BILLING'], false],
    [[], false],
    [null, false],
  ])('for organization roles %j, reports ADMIN as %s', async (roles, admin) => {
    expect(await serviceOf(roles).isAdmin(ctx, 'organization', 'ann')).toBe(admin);
  });
});
