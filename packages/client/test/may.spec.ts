import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Route } from '../src/client';
import { REQUIRED_ROLES } from '../src/generated';
import {
  effectiveProjectRole,
  missingRole,
  ORGANIZATION_ROLES,
  type OrganizationRole,
  PROJECT_ROLES,
} from '../src/may';

interface Required {
  readonly organization: 'member' | readonly OrganizationRole[] | null;
  readonly project: (typeof PROJECT_ROLES)[number] | null;
}

const ROUTES = Object.entries(REQUIRED_ROLES as Record<string, Required>) as [Route, Required][];
const OF_PROJECTS = ROUTES.filter(([, { organization, project }]) => organization === null && project !== null);
const OF_ORGANIZATIONS = ROUTES.filter(([, { organization }]) => Array.isArray(organization));
const isWrite = (route: Route): boolean => !route.startsWith('GET ');

/** The access rule that the service publishes for each operation. */
function published(): Map<string, unknown> {
  const file = path.resolve(__dirname, '../../../docs/generated/openapi.json');
  const { paths } = JSON.parse(readFileSync(file, 'utf8')) as {
    paths: Record<string, Record<string, { 'x-access'?: { role: unknown } }>>;
  };
  return new Map(
    Object.entries(paths).flatMap(([address, operations]) =>
      Object.entries(operations).map(([method, operation]) => [
        `${method.toUpperCase()} ${address.replace('/api/v1', '')}`,
        operation['x-access']?.role ?? null,
      ]),
    ),
  );
}

describe('the roles that each operation requires', () => {
  it('are those that the service publishes', () => {
    const withRole = [...published()].filter(([, role]) => role !== null);
    expect(new Map<string, unknown>(ROUTES)).toEqual(new Map(withRole));
    expect(ROUTES.length).toBeGreaterThan(80);
  });

  it.each(OF_PROJECTS)('of %s are met by the project role and every higher one', (route, { project }) => {
    const allowed = PROJECT_ROLES.slice(PROJECT_ROLES.indexOf(project!));
    for (const role of PROJECT_ROLES) {
      const missing = missingRole(route, { organization: ['MEMBER'], project: role });
      expect({ role, missing }).toEqual({ role, missing: allowed.includes(role) ? null : project });
    }
    expect(missingRole(route, { organization: ['MEMBER'] })).toBe(project);
    for (const manager of ['ADMIN', 'MANAGER'] as const) {
      expect(missingRole(route, { organization: [manager] })).toBeNull();
    }
    expect(missingRole(route, { organization: ['READ'] })).toBe(project === 'VIEW_PROJECT' ? null : project);
  });

  it.each(OF_ORGANIZATIONS)('of %s are met by one of the organization roles, or ADMIN', (route, { organization }) => {
    const required = organization as readonly OrganizationRole[];
    for (const role of ORGANIZATION_ROLES) {
      const allowed = role === 'ADMIN' || required.includes(role);
      // MANAGER and READ imply the project role that some routes require, too.
      const missing = missingRole(route, { organization: [role], project: 'MANAGE_PROJECT' });
      expect({ role, missing }).toEqual({ role, missing: allowed ? null : required[0] });
    }
  });

  it.each(OF_PROJECTS.filter(([route]) => isWrite(route)))(
    'of %s are not met by VIEW_PROJECT',
    (route, { project }) => {
      expect(project).not.toBe('VIEW_PROJECT');
      expect(missingRole(route, { organization: ['MEMBER', 'READ'], project: 'VIEW_PROJECT' })).toBe(project);
    },
  );

  it('do not include routes that every member may use', () => {
    expect(missingRole('GET /developers/me', { organization: [] })).toBeNull();
    expect(missingRole('POST /organizations', { organization: [] })).toBeNull();
  });
});

describe('the role in a project', () => {
  it('is the higher of the role in the project and the role that the organization roles imply', () => {
    expect(effectiveProjectRole({ organization: ['MEMBER'] })).toBeNull();
    expect(effectiveProjectRole({ organization: ['READ'] })).toBe('VIEW_PROJECT');
    expect(effectiveProjectRole({ organization: ['READ'], project: 'UPLOAD_BUILD' })).toBe('UPLOAD_BUILD');
    expect(effectiveProjectRole({ organization: ['MANAGER'], project: 'VIEW_PROJECT' })).toBe('MANAGE_PROJECT');
  });
});
