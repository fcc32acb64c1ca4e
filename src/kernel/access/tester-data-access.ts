import { type RequestContext } from '#kernel/context/request-context';
import { includesRole } from './roles';

/**
 * Whether the caller sees what testers did and which devices they have: callers with MANAGE_TESTERS in the project, and with the scope if
 * they use a personal access token. Names, addresses and subscriptions of testers need only VIEW_PROJECT.
 */
export function maySeeTesterData({ identity, projectRole = null }: RequestContext): boolean {
  if (identity.kind === 'project-token') return includesRole(identity.role, 'MANAGE_TESTERS');
  if (identity.kind === 'pat' && !identity.scopes.includes('testers:read')) return false;
  return includesRole(projectRole, 'MANAGE_TESTERS');
}
