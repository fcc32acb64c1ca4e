import { type Identity, isWithoutAccount, quotaSubjectOf } from '#kernel/context/identity';
import { type RequestContext } from '#kernel/context/request-context';
import { clientNetwork } from '#infra/network/client-network';

/**
 * The caller by whom open reservations are counted: a developer or tester through all their credentials, a project access token for
 * itself. The link of a build or channel and an update key are shared by many people, so they count for each client address.
 */
export function callerOf({ identity, sourceIp }: RequestContext): string {
  const subject = quotaSubjectOf(identity);
  return isShared(identity) ? `${subject}@${clientNetwork(sourceIp)}` : subject;
}

/**
 * The link, update key or tester whose open reservations together hold at most a share of what is free, from all addresses. Null for
 * callers with an account: their organization knows them and can revoke them.
 */
export const holderOf = ({ identity }: RequestContext): string | null =>
  isWithoutAccount(identity) ? quotaSubjectOf(identity) : null;

const isShared = (identity: Identity): boolean =>
  identity.kind === 'update-key' || (identity.kind === 'invite' && identity.testerId === null);
