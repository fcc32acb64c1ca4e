import { needsOrganization, type Parents } from '#kernel/access/policy';
import { canonicalId, isUuid } from '#kernel/ids';
import { type CredentialAccess } from '../access';
import { type AppRequest } from './app-request';

/** The parents that the request names. A path parameter takes precedence over the query. */
export function parentsOf(request: AppRequest): Parents {
  const sent = (name: string): string | null => {
    const value: unknown = (request.params as Record<string, unknown>)[name] ?? request.query[name];
    return typeof value === 'string' ? canonicalId(value) : null;
  };
  return { organizationId: sent('organization_id'), projectId: sent('project_id') };
}

/** The parents in which the rule of the route requires a role. Null for one that the rule does not need, and for one that is not a UUID. */
export function guardedParentsOf(request: AppRequest, rule: CredentialAccess): Parents {
  const { organizationId, projectId } = parentsOf(request);
  return {
    organizationId: needsOrganization(rule) && isUuid(organizationId) ? organizationId : null,
    projectId: rule.project !== undefined && isUuid(projectId) ? projectId : null,
  };
}
