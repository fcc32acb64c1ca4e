import { quotaSubjectOf } from '#kernel/context/identity';
import { type RequestContext } from '#kernel/context/request-context';
import { clientNetwork } from '#infra/network/client-network';

/**
 * The caller by whom open reservations are counted: a developer or tester through all their credentials, a project access token for
 * itself. The link of a build or channel is shared by many people, so it counts for each client address.
 */
export function callerOf({ identity, sourceIp }: RequestContext): string {
  const subject = quotaSubjectOf(identity);
  return identity.kind === 'invite' && identity.testerId === null ? `${subject}@${clientNetwork(sourceIp)}` : subject;
}

/**
 * The link or tester whose open reservations together hold at most a share of what is free, from all addresses. Null for
 * callers with an account: their organization knows them and can revoke them.
 */
export const holderOf = ({ identity }: RequestContext): string | null =>
  identity.kind === 'invite' ? quotaSubjectOf(identity) : null;
