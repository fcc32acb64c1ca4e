import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { isWithoutAccount, principalOf, quotaSubjectOf } from '#kernel/context/identity';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { Sealer } from '#infra/crypto/sealer';
import { clientNetwork, customerNetwork } from '#infra/network/client-network';
import { BillingService } from '#modules/billing';
import { type DownloadTicketEntity } from './downloads.repository';
import { LinkTicketsRepository, type OpenTicket } from './link-tickets.repository';

/**
 * The maximum number of charges for a build that a client address may cause through one link within half an hour while no complete delivery
 * is known. It limits the organization's cost of aborted requests. Clients that receive whole artifacts are not limited.
 */
const MAX_UNPROVEN_CHARGES = 3;

/** The maximum for all client addresses of an IPv6 /48, their open tickets included: one client can own the whole network. */
const MAX_UNPROVEN_OF_NETWORK = 30;

/** The number from which on the tickets of a /48 are streamed, so that their deliveries are known. */
const STREAMED_OF_NETWORK = 20;

/** Additional properties of a ticket that an install link mints. */
export type ClientColumns = Pick<DownloadTicketEntity, 'clientKey' | 'networkKey' | 'sealedToken' | 'streamed'>;

export const NOT_OF_A_LINK: ClientColumns = { clientKey: null, networkKey: null, sealedToken: null, streamed: false };

/** The digests of a link, update key or tester, a build, and a client address or its network. They do not reveal the address. */
export interface ClientKeys {
  readonly clientKey: Buffer;
  /** Of the IPv6 /48. Null for IPv4. */
  readonly networkKey: Buffer | null;
}

/** The token of an open ticket. */
export interface OpenTicketToken {
  readonly token: string;
  /** The file name of the artifact. */
  readonly fileName: string;
  readonly expiresAt: Date;
}

interface NewTicket {
  readonly id: string;
  readonly token: string;
  /** Whether its first use will cost something. */
  readonly isCharged: boolean;
}

/**
 * The tickets of install links and update keys. Their clients are unknown, so each client address has one open ticket per link and build,
 * which is returned again (docs/decisions/0025-tickets-of-install-links.md).
 */
@Injectable()
export class LinkTicketsService {
  constructor(
    private readonly repository: LinkTicketsRepository,
    private readonly billing: BillingService,
    private readonly sealer: Sealer,
  ) {}

  /**
   * The open ticket of the client, extended when less than half of its time is left; null when there is none. Only this transaction
   * mints a ticket for the client until it ends.
   */
  async lockAndFindOpen(tx: RequestContext, { clientKey, networkKey }: ClientKeys): Promise<OpenTicketToken | null> {
    await this.repository.lockClient(tx, networkKey ?? clientKey);
    const open = await this.repository.findOpen(tx, clientKey);
    if (!open) return null;
    if (!open.isEnding) return this.unseal(open);
    if (!open.settled && !(await this.billing.extend(tx, open.reservationId))) return null;
    const expiresAt = await this.repository.extend(tx, open.id);
    return expiresAt && { ...this.unseal(open), expiresAt };
  }

  /** The open ticket of the client; null when there is none, and when less than half of its time is left. */
  async findOpen(ctx: RequestContext, { clientKey }: ClientKeys): Promise<OpenTicketToken | null> {
    const open = await this.repository.findOpen(ctx, clientKey);
    return open && !open.isEnding ? this.unseal(open) : null;
  }

  private unseal({ id, sealedToken, fileName, expiresAt }: OpenTicket): OpenTicketToken {
    return { token: this.sealer.open(sealedToken, sealContext(id)).toString(), fileName, expiresAt };
  }

  /**
   * The properties of a new ticket of the client. The last ticket before the limit is streamed, unless the operator allows redirects only:
   * after a redirect nothing is known about the delivery, and an office behind one address would reach the limit.
   * @throws AppError rate_limit_exceeded when the client, or its network, used up its charges of this half hour.
   */
  async columnsOf(tx: RequestContext, keys: ClientKeys, { id, token, isCharged }: NewTicket): Promise<ClientColumns> {
    const sealedToken = this.sealer.seal(Buffer.from(token), sealContext(id));
    if (!isCharged) return { ...keys, sealedToken, streamed: false };
    const own = await this.repository.countUnproven(tx, keys.clientKey);
    if (own.count >= MAX_UNPROVEN_CHARGES) throw tooManyCharges(own.seconds);
    const network = keys.networkKey && (await this.repository.countOfNetwork(tx, keys.networkKey));
    if (network && network.count >= MAX_UNPROVEN_OF_NETWORK) throw tooManyCharges(network.seconds);
    const streamed = own.count === MAX_UNPROVEN_CHARGES - 1 || (network?.count ?? 0) >= STREAMED_OF_NETWORK;
    return { ...keys, sealedToken, streamed };
  }
}

/** The keys of the client of a link, update key or tester. Null for callers with an account. @param fileId of a build or an attachment. */
export function clientKeysOf({ identity, sourceIp }: RequestContext, fileId: string): ClientKeys | null {
  if (!isWithoutAccount(identity)) return null;
  // A ticket counts for the link that minted it and ends with it, so the tickets of testers who signed in at other links are others.
  const isSignedIn = identity.kind === 'invite' && identity.state !== undefined && identity.testerId !== null;
  const subject = isSignedIn ? `${principalOf(identity)}|tester:${identity.testerId}` : quotaSubjectOf(identity);
  const keyOf = (network: string): Buffer => createHash('sha256').update([subject, fileId, network].join('|')).digest();
  const network = customerNetwork(sourceIp);
  return { clientKey: keyOf(clientNetwork(sourceIp)), networkKey: network === null ? null : keyOf(network) };
}

/** Binds an encrypted token to its row. Tickets expire within a day, so the column needs no re-sealing. */
const sealContext = (ticketId: string): string => `download_ticket|${ticketId}`;

const tooManyCharges = (retryAfterSeconds: number): AppError =>
  new AppError('rate_limit_exceeded', {
    message:
      'Downloads of this build through this link broke off too often at this address. Wait for the seconds in Retry-After, then retry.',
    details: { reason: 'link_downloads_reached', retry_after_seconds: retryAfterSeconds },
    retryAfterSeconds,
  });
