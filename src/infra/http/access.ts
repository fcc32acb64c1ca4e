import { applyDecorators, type CustomDecorator, SetMetadata } from '@nestjs/common';
import { ApiBearerAuth, ApiCookieAuth, ApiSecurity } from '@nestjs/swagger';
import { type OrganizationRole, type PatScope, type ProjectRole } from '#kernel/access/roles';

export type CredentialKind = 'jwt' | 'pat' | 'project-token';

/** A route that wants a credential of one of the kinds in `by`. */
export interface CredentialAccess {
  readonly by: readonly CredentialKind[];
  /**
   * Who may act in the organization that the route names (path or `organization_id`): any member, or one who holds one
   * of the roles. ADMIN is always enough.
   */
  readonly organization?: 'member' | readonly OrganizationRole[];
  /** The least project role in the project that the route names (path or `project_id`). */
  readonly project?: ProjectRole;
  /** What a personal access token must be allowed to do. Required when `by` has `pat`. */
  readonly scope?: PatScope;
  /** Whether the e-mail must be verified. Default: for every method but GET and HEAD (specification §3). */
  readonly verified?: boolean;
  /** The route asks the organization's billing for admission (specification §7 rule 2): it may answer 402. */
  readonly gated?: boolean;
}

/** Who may use a route: everybody; whoever holds the token in the path; or a credential with roles and scope. */
export type AccessRule =
  { readonly public: true } | { readonly invite: true; readonly gated?: boolean } | CredentialAccess;

export const ACCESS_KEY = 'agate:access';

export const isCredentialAccess = (rule: AccessRule): rule is CredentialAccess => 'by' in rule;

const SCHEMES: Record<CredentialKind, () => MethodDecorator & ClassDecorator> = {
  jwt: () => applyDecorators(ApiBearerAuth('access_jwt'), ApiCookieAuth('session_cookie')),
  pat: () => ApiSecurity('personal_access_token'),
  'project-token': () => ApiSecurity('project_access_token'),
};

/**
 * Declares who may use a route (contract §2): read by the guards, by the OpenAPI document (`x-access`) and by the test
 * that tries every route with every kind of credential. A route without it does not start.
 */
export function Access(rule: AccessRule): MethodDecorator {
  const metadata: CustomDecorator = SetMetadata(ACCESS_KEY, rule);
  if (!isCredentialAccess(rule)) {
    return applyDecorators(metadata, ...('invite' in rule ? [ApiSecurity('invite_token')] : []));
  }
  if (rule.by.includes('pat') && !rule.scope) throw new TypeError('@Access: `pat` needs a `scope`.');
  return applyDecorators(metadata, ...rule.by.map((kind) => SCHEMES[kind]()));
}
