import { type RequestContext } from '#kernel/context/request-context';
import { includesRole } from './roles';

/**
 * Whether the caller sees the install links of the project: only callers who may download, because a link is a credential to download.
 * A personal access token also needs the scope.
 */
export function maySeeInstallLinks({ identity, projectRole = null }: RequestContext): boolean {
  if (identity.kind === 'project-token') return includesRole(identity.role, 'DOWNLOAD_BUILD');
  if (identity.kind === 'pat' && !identity.scopes.includes('builds:download')) return false;
  return includesRole(projectRole, 'DOWNLOAD_BUILD');
}
