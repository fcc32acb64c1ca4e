import fc from 'fast-check';
import { type Identity } from '#kernel/context/identity';
import {
  type AccessDemand,
  type AccessFacts,
  hasOrganizationRole,
  maySeeInstallLinks,
  maySeeTesterData,
  type Refusal,
  refuseCredential,
  refuseRole,
  roleInProject,
} from './policy';
import {
  ORGANIZATION_ROLES,
  type OrganizationRole,
  PAT_SCOPES,
  type PatScope,
  PROJECT_ROLES,
  type ProjectRole,
} from './roles';

/**
 * A second implementation of the policy, independent of the first: roles as numbers, and the refusals as an ordered list.
 * red when: refusePat has `||` for `&&`; project roles are compared with `>`; two refusals are swapped; ADMIN or MANAGER
 * implies less
 */
const RANKS = {
  VIEW_PROJECT: 1,
  DOWNLOAD_BUILD: 2,
  UPLOAD_BUILD: 3,
  MANAGE_TESTERS: 4,
  MANAGE_RELEASES: 5,
  MANAGE_PROJECT: 6,
};
const IMPLIED: Record<OrganizationRole, number> = { MEMBER: 0, READ: 1, AUDITOR: 0, BILLING: 0, MANAGER: 6, ADMIN: 6 };

interface Case {
  readonly demand: AccessDemand;
  readonly identity: Identity;
  readonly facts: AccessFacts;
}

/** The rank of the developer's or token's role in the project; 0 when there is none. */
const rankOf = ({ identity, facts }: Case): number =>
  identity.kind === 'project-token'
    ? RANKS[identity.role]
    : Math.max(
        ...(facts.projectRole ? [RANKS[facts.projectRole]] : [0]),
        ...(facts.organizationRoles ?? []).map((role) => IMPLIED[role]),
      );

const isBoundHere = ({ identity, facts }: Case): boolean => {
  if (identity.kind === 'pat') return [null, identity.organizationId].includes(facts.organizationId);
  if (identity.kind !== 'project-token') return true;
  return facts.organizationId === identity.organizationId && facts.projectId === identity.projectId;
};

const isDeveloper = ({ identity: { kind } }: Case): boolean => kind === 'jwt' || kind === 'pat';
const requiredRoles = ({ demand: { organization } }: Case): readonly string[] =>
  Array.isArray(organization) ? (organization as OrganizationRole[]) : [];

type Rule = readonly [applies: (it: Case) => boolean, refusal: (it: Case) => Refusal];
const denied = (): Refusal => ({ error: 'permission_denied' });

/** The first refusal that applies is the expected one. */
const REFUSALS: readonly Rule[] = [
  [(it) => !isDeveloper(it) && it.identity.kind !== 'project-token', () => ({ error: 'unauthorized' })],
  [
    ({ demand, identity }) => !demand.by.some((kind) => kind === identity.kind),
    () => ({ error: 'interactive_login_required' }),
  ],
  [
    ({ demand, identity }) => demand.verified && 'emailVerified' in identity && !identity.emailVerified,
    () => ({ error: 'email_not_verified' }),
  ],
  [
    ({ demand, identity }) =>
      identity.kind === 'pat' && !demand.self && !identity.scopes.some((scope) => scope === demand.scope),
    denied,
  ],
  [(it) => !isBoundHere(it), denied],
  [({ demand, identity }) => identity.kind === 'project-token' && !demand.self && demand.project === undefined, denied],
  [
    (it) =>
      isDeveloper(it) && Boolean(it.demand.organization ?? it.demand.project) && it.facts.organizationRoles === null,
    denied,
  ],
  [(it) => isDeveloper(it) && it.demand.project !== undefined && !(it.facts.projectExists && rankOf(it) > 0), denied],
  [
    (it) =>
      isDeveloper(it) &&
      requiredRoles(it).length > 0 &&
      !it.facts.organizationRoles?.some((held) => held === 'ADMIN' || requiredRoles(it).includes(held)),
    (it) => ({ error: 'insufficient_role', requiredRole: requiredRoles(it)[0] ?? '' }),
  ],
  [
    (it) => it.demand.project !== undefined && rankOf(it) < RANKS[it.demand.project],
    (it) => ({ error: 'insufficient_role', requiredRole: it.demand.project ?? '' }),
  ],
];

const expected = (it: Case): Refusal | null => REFUSALS.find(([applies]) => applies(it))?.[1](it) ?? null;

const actual = ({ demand, identity, facts }: Case): Refusal | null =>
  refuseCredential(demand, identity, facts) ?? refuseRole(demand, identity, facts);

const organizationId = fc.constantFrom('organization-a', 'organization-b');
const projectId = fc.constantFrom('project-a', 'project-b');
const roleSet = fc.subarray([...ORGANIZATION_ROLES], { minLength: 1 });
const developer = {
  developerId: fc.constant('ann'),
  email: fc.constant('ann@example.com'),
  emailVerified: fc.boolean(),
};

const identity: fc.Arbitrary<Identity> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('jwt' as const), ...developer }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('pat' as const),
      tokenId: fc.constant('pat'),
      ...developer,
      organizationId,
      scopes: fc.subarray([...PAT_SCOPES]),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('project-token' as const),
      tokenId: fc.constant('token'),
      tokenName: fc.constant('CI'),
      organizationId,
      projectId,
      role: fc.constantFrom(...PROJECT_ROLES),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Identity>(
      { kind: 'anonymous' },
      { kind: 'invite', inviteId: 'link', testerId: null, channelId: null },
      { kind: 'system', name: 'job' },
    ),
  },
);

const by = fc.subarray(['jwt', 'pat', 'project-token'] as const, { minLength: 1 });

/** A route about the credential itself has no rule besides the kinds of credential. */
const selfDemand: fc.Arbitrary<AccessDemand> = fc.record({
  by,
  self: fc.constant(true as const),
  verified: fc.boolean(),
});

const roleDemand: fc.Arbitrary<AccessDemand> = fc
  .record({
    by,
    organization: fc.option(fc.oneof(fc.constant('member' as const), roleSet), { nil: undefined }),
    project: fc.option(fc.constantFrom(...PROJECT_ROLES), { nil: undefined }),
    scope: fc.option(fc.constantFrom(...PAT_SCOPES), { nil: undefined }),
    verified: fc.boolean(),
  })
  .map(
    (record) =>
      Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as unknown as AccessDemand,
  );

const demand = fc.oneof({ weight: 5, arbitrary: roleDemand }, { weight: 1, arbitrary: selfDemand });

const facts: fc.Arbitrary<AccessFacts> = fc.record({
  organizationId: fc.option(organizationId),
  projectId: fc.option(projectId),
  organizationRoles: fc.option(roleSet),
  projectRole: fc.option(fc.constantFrom(...PROJECT_ROLES)),
  projectExists: fc.boolean(),
});

describe('refuseCredential and refuseRole', () => {
  it('check the kind, the e-mail address, scope and binding, the right to see the project, then roles, in this order', () => {
    fc.assert(
      fc.property(fc.record({ demand, identity, facts }), (it) => {
        expect(actual(it)).toEqual(expected(it));
      }),
      { numRuns: 2_000 },
    );
  });

  it('never reject a request because of more roles or scopes', () => {
    fc.assert(
      fc.property(fc.record({ demand, identity, facts }), roleSet, (it, more) => {
        fc.pre(actual(it) === null);
        const { organizationRoles: held } = it.facts;
        const richer = { ...it.facts, organizationRoles: held && [...held, ...more] };
        const wider = it.identity.kind === 'pat' ? { ...it.identity, scopes: PAT_SCOPES } : it.identity;
        expect(actual({ ...it, identity: wider, facts: richer })).toBeNull();
      }),
      { numRuns: 500 },
    );
  });
});

describe('roleInProject', () => {
  const own = new Map<string, ProjectRole>([['here', 'UPLOAD_BUILD']]);

  it.each<[ProjectRole | null, string, ProjectRole | null]>([
    [null, 'here', 'UPLOAD_BUILD'],
    [null, 'elsewhere', null],
    ['VIEW_PROJECT', 'here', 'UPLOAD_BUILD'],
    ['VIEW_PROJECT', 'elsewhere', 'VIEW_PROJECT'],
    ['MANAGE_PROJECT', 'here', 'MANAGE_PROJECT'],
  ])('combines the implied role %s in the project %s to %s', (implied, projectId, role) =>
    expect(roleInProject({ organization: [], implied, own }, projectId)).toBe(role),
  );
});

describe('hasOrganizationRole', () => {
  const developerWith = (organization: OrganizationRole[]) => ({ organization, implied: null, own: new Map() });

  it('accepts the role itself and ADMIN, and nothing else', () => {
    for (const wanted of ORGANIZATION_ROLES) {
      const accepted = ORGANIZATION_ROLES.filter((held) => hasOrganizationRole(developerWith([held]), wanted));
      expect(new Set(accepted)).toEqual(new Set([wanted, 'ADMIN']));
    }
    expect(hasOrganizationRole(developerWith(['READ', 'BILLING']), 'BILLING')).toBe(true);
    expect(hasOrganizationRole(developerWith([]), 'MEMBER')).toBe(false);
  });
});

describe.each<[string, typeof maySeeTesterData, ProjectRole, PatScope]>([
  ['maySeeTesterData', maySeeTesterData, 'MANAGE_TESTERS', 'testers:read'],
  ['maySeeInstallLinks', maySeeInstallLinks, 'DOWNLOAD_BUILD', 'builds:download'],
])('%s', (_, maySee, role, scope) => {
  const person = { developerId: 'ann', email: 'ann@example.com', emailVerified: true };
  const place = { organizationId: 'organization-a', projectId: 'project-a' };
  const sees = (identity: Identity, projectRole?: ProjectRole | null): boolean =>
    maySee({ requestId: 'r', sourceIp: null, identity, projectRole, clock: { now: () => new Date(0) } });
  const seeing = (sees: (held: ProjectRole) => boolean): readonly ProjectRole[] => PROJECT_ROLES.filter(sees);
  const sufficient = PROJECT_ROLES.slice(PROJECT_ROLES.indexOf(role));

  it(`requires ${role} of a developer`, () => {
    expect(seeing((held) => sees({ kind: 'jwt', ...person }, held))).toEqual(sufficient);
    expect(sees({ kind: 'jwt', ...person }, null)).toBe(false);
    expect(sees({ kind: 'jwt', ...person })).toBe(false);
  });

  it(`requires ${role} and the scope ${scope} of a personal access token`, () => {
    const pat = { kind: 'pat' as const, tokenId: 'pat', ...person, organizationId: place.organizationId };
    expect(seeing((held) => sees({ ...pat, scopes: [scope] }, held))).toEqual(sufficient);
    expect(seeing((held) => sees({ ...pat, scopes: PAT_SCOPES.filter((other) => other !== scope) }, held))).toEqual([]);
  });

  it(`requires ${role} of a project access token`, () => {
    const token = { kind: 'project-token' as const, tokenId: 'token', tokenName: 'CI', ...place };
    expect(seeing((held) => sees({ ...token, role: held }))).toEqual(sufficient);
    // The token has only its own role.
    expect(sees({ ...token, role: 'VIEW_PROJECT' }, 'MANAGE_PROJECT')).toBe(false);
  });

  it('rejects a caller without an account', () => expect(sees({ kind: 'anonymous' })).toBe(false));
});
