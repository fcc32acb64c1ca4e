import { applyDecorators, type CustomDecorator, SetMetadata } from '@nestjs/common';
import { ApiBearerAuth, ApiCookieAuth, ApiSecurity } from '@nestjs/swagger';
import { type OrganizationRole, type PatScope, type ProjectRole } from '#kernel/access/roles';

export type CredentialKind = 'jwt' | 'pat' | 'project-token';

/** The rule of a route that needs a credential. */
export interface CredentialAccess {
  /** The kinds of credential that the route accepts. */
  readonly by: readonly CredentialKind[];
  /**
   * The route names an organization (in the path or as `organization_id`), and the developer must be a member of it, or hold
   * one of these roles in it. ADMIN is always enough.
   */
  readonly organization?: 'member' | readonly OrganizationRole[];
  /** The route names a project (in the path or as `project_id`); this is the lowest project role that may use the route. */
  readonly project?: ProjectRole;
  /** The scope that a personal access token needs. Required when `by` contains `pat`, except with `self`. */
  readonly scope?: PatScope;
  /** The route describes the credential itself, so every credential may use it: it needs no scope, and no role in its project. */
  readonly self?: true;
  /** Whether the developer's e-mail address must be verified. Default: true for every method except GET and HEAD. */
  readonly verified?: boolean;
  /** The route also accepts a valid refresh token, in the cookie or the body, instead of an access JWT. */
  readonly orRefreshToken?: true;
  /** Whether billing must admit the request. If it does not, the response is 402 (docs/api-behaviour.md#billing). */
  readonly gated?: boolean;
}

/** The callers who may use a route: every caller, the holder of the install link in the path, or the holder of a credential. */
export type AccessRule =
  { readonly public: true } | { readonly invite: true; readonly gated?: boolean } | CredentialAccess;

export const ACCESS_KEY = 'agate:access';

/** The usual rules of routes that need a credential, from the widest to the narrowest. */
export const ACCESS = {
  /** Every credential of the API, for data about the credential itself. */
  self: () => ({ by: ['jwt', 'pat', 'project-token'], self: true }) satisfies CredentialAccess,

  /** Every credential of the API, project tokens included, with a role in the project. */
  project: (project: ProjectRole, scope: PatScope, options: Pick<CredentialAccess, 'gated'> = {}) =>
    ({ by: ['jwt', 'pat', 'project-token'], scope, project, ...options }) satisfies CredentialAccess,

  /** A developer, by a login or a personal access token. */
  developer: (scope: PatScope, roles: Pick<CredentialAccess, 'organization' | 'project'> = {}) =>
    ({ by: ['jwt', 'pat'], scope, ...roles }) satisfies CredentialAccess,

  /** A developer who has logged in. Tokens of programs are rejected. */
  login: (options: Pick<CredentialAccess, 'organization' | 'project' | 'verified' | 'orRefreshToken'> = {}) =>
    ({ by: ['jwt'], ...options }) satisfies CredentialAccess,
};

export const isCredentialAccess = (rule: AccessRule): rule is CredentialAccess => 'by' in rule;

const SCHEMES: Record<CredentialKind, () => MethodDecorator & ClassDecorator> = {
  jwt: () => applyDecorators(ApiBearerAuth('access_jwt'), ApiCookieAuth('session_cookie')),
  pat: () => ApiSecurity('personal_access_token'),
  'project-token': () => ApiSecurity('project_access_token'),
};

/**
 * Declares who may use a route. The guards enforce the rule, the OpenAPI document shows it (`x-access`), and the access matrix
 * test tries it with every kind of credential. The service does not start while a route has no rule.
 */
export function Access(rule: AccessRule): MethodDecorator {
  const metadata: CustomDecorator = SetMetadata(ACCESS_KEY, rule);
  if (!isCredentialAccess(rule)) {
    return applyDecorators(metadata, ...('invite' in rule ? [ApiSecurity('invite_token')] : []));
  }
  if (rule.by.includes('pat') && !rule.scope && !rule.self) throw new TypeError('@Access: `pat` needs a `scope`.');
  const refreshToken = rule.orRefreshToken ? [ApiSecurity('refresh_cookie')] : [];
  return applyDecorators(metadata, ...rule.by.map((kind) => SCHEMES[kind]()), ...refreshToken);
}
