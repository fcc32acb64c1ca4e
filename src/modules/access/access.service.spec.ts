import { type OrganizationRole, type ProjectRole } from '#kernel/access/roles';
import { ANONYMOUS } from '#kernel/context/identity';
import { AccessService } from './access.service';

// Only the types of these modules are needed, so the mocks keep their imports from being loaded.
jest.mock('#modules/organizations', () => ({ OrganizationsService: class {} }));
jest.mock('#modules/projects', () => ({ ProjectsService: class {} }));

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
