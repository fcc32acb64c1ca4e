import { type Identity, isDeveloper } from '#kernel/context/identity';
import { type RequestContext } from '#kernel/context/request-context';
import { clientNetwork, customerNetwork } from '#infra/network/client-network';
import { type PoolTurn } from './fair-pool';

/**
 * The turn of a context's statements. Its lane is the organization of the request if it is known, else the developer, or the address of a
 * client without an account: before authentication, and with install links and update keys. Jobs and checks have a lane for each of their
 * names.
 */
export function turnOf(ctx: RequestContext): PoolTurn {
  const turn = lanesOf(ctx);
  return ctx.isHeavy ? { ...turn, isHeavy: true } : turn;
}

function lanesOf({ identity, sourceIp, organizationId = boundTo(identity) }: RequestContext): PoolTurn {
  if (identity.kind === 'system' || identity.kind === 'operator')
    return { share: 'service', lane: `${identity.kind}:${identity.name}` };
  const organization = organizationId === undefined ? undefined : `organization:${organizationId}`;
  if (isDeveloper(identity)) {
    const account = `developer:${identity.developerId}`;
    return { share: 'tenants', lane: organization ?? account, account };
  }
  if (organization !== undefined) return { share: 'tenants', lane: organization };
  const network = customerNetwork(sourceIp);
  return {
    share: 'clients',
    lane: `client:${clientNetwork(sourceIp)}`,
    // One client can own a /48, and with it 65,536 lanes.
    ...(network !== null && { account: `network:${network}` }),
  };
}

/** The organization to which a token is bound. */
const boundTo = (identity: Identity): string | undefined =>
  'organizationId' in identity ? identity.organizationId : undefined;
