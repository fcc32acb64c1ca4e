import { Injectable, type OnModuleInit } from '@nestjs/common';
import { digestOf, newLinkToken } from '#kernel/access/token-format';
import { type Identity, isWithoutAccount, ownerOf, type UpdateKeyIdentity } from '#kernel/context/identity';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope, scopeOf } from '#kernel/context/scope';
import { AppError } from '#kernel/errors/app-error';
import { Hook } from '#kernel/hook';
import { newId } from '#kernel/ids';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { HttpConfig } from '#infra/config/config';
import { Transactions } from '#infra/database/transactions';
import { BillingService } from '#modules/billing';
import { InstallLinksService } from '#modules/install-links';
import { HOSTED } from '#modules/storage';
import { type ArtifactFile } from '../catalogue/build';
import { DownloadsRepository, type DownloadTicketEntity, type FileId } from './downloads.repository';
import {
  type ClientKeys,
  clientKeysOf,
  LinkTicketsService,
  NOT_OF_A_LINK,
  type OpenTicketToken,
} from './link-tickets.service';

/** A URL that downloads one file of a build. It is the entire credential. */
export interface DownloadUrl {
  readonly url: string;
  readonly expiresAt: Date;
}

/** Mints download tickets. Minting makes a reservation, and the first use of the ticket settles it. */
@Injectable()
export class DownloadTicketsService implements OnModuleInit {
  /**
   * Prevents the rotation and the deletion of an update key until the end of the transaction. False when the key has ended. The updates
   * module knows the keys.
   */
  readonly keyLock = new Hook<[tx: RequestContext, key: UpdateKeyIdentity], boolean>();

  constructor(
    private readonly repository: DownloadsRepository,
    private readonly linkTickets: LinkTicketsService,
    private readonly billing: BillingService,
    private readonly config: HttpConfig,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
    private readonly links: InstallLinksService,
  ) {}

  onModuleInit(): void {
    this.links.replaced.add((tx, linkId) => this.repository.deleteOfLink(tx, linkId));
    this.links.rulesChanging.add((tx, linkId) => this.repository.deleteUnusedOfLink(tx, linkId));
  }

  /**
   * Mints a ticket, or returns the open one of an install link's client.
   * @param attachmentId the attachment of the build that it downloads. Null: the artifact.
   * @throws AppError not_found; the errors of a billing reservation; rate_limit_exceeded when the client of an install link used up its
   * charges of this half hour.
   */
  async mint(
    ctx: RequestContext,
    scope: ProjectScope,
    buildId: string,
    attachmentId: string | null = null,
  ): Promise<DownloadUrl> {
    const clientKeys = clientKeysOf(ctx, attachmentId ?? buildId);
    // Most manifests are for a client that has an open ticket, which this path returns without a lock.
    const open = clientKeys && (await this.linkTickets.findOpen(ctx, clientKeys));
    if (open) return this.urlOf(open);
    return this.transactions.run(ctx, async (tx) => {
      const located = { ...scopeOf(scope), buildId, attachmentId };
      const file = await this.repository.lockFile(tx, located);
      if (!file) throw AppError.notFound(attachmentId === null ? 'build' : 'attachment');
      const extended = clientKeys && (await this.linkTickets.lockAndFindOpen(tx, clientKeys));
      return this.urlOf(extended ?? (await this.mintNew(tx, { ...located, file }, clientKeys)));
    });
  }

  /** Ends the tickets that an update key minted. The caller has replaced or deleted the key in the same transaction. */
  endOfKey(tx: RequestContext, scope: ProjectScope, updateKeyId: string): Promise<void> {
    return this.repository.deleteOfKey(tx, scope, updateKeyId);
  }

  /** Ends the tickets of a tester who is erased. */
  endOfTester(tx: RequestContext, scope: ProjectScope, testerId: string): Promise<void> {
    return this.repository.deleteOfTester(tx, scope, testerId);
  }

  private async mintNew(
    tx: RequestContext,
    { organizationId, projectId, buildId, attachmentId, file }: ProjectScope & FileId & { file: ArtifactFile },
    clientKeys: ClientKeys | null,
  ): Promise<OpenTicketToken> {
    const { identity } = tx;
    if (identity.kind === 'update-key' && !(await this.keyLock.run(tx, identity)).some(Boolean))
      throw AppError.notFound('update key');
    if (identity.kind === 'invite' && identity.state && !(await this.links.lock(tx, identity.inviteId, identity.state)))
      throw AppError.notFound('install link');
    const { sizeBytes, fileName } = file;
    const isInOwnStorage = file.blob.account !== HOSTED;
    const reservation = await this.billing.reserve(tx, { organizationId, kind: 'download', sizeBytes, isInOwnStorage });
    const { expiresAt, isCharged } = reservation;
    const [id, token] = [newId(), newLinkToken()];
    const client = clientKeys
      ? await this.linkTickets.columnsOf(tx, clientKeys, { id, token, isCharged })
      : NOT_OF_A_LINK;
    await this.repository.insert(tx, {
      id,
      organizationId,
      projectId,
      buildId,
      attachmentId,
      digest: digestOf(token),
      reservationId: reservation.id,
      ...minterOf(identity),
      ...client,
      servedBytes: '0',
      settledAt: null,
      deliveredAt: null,
      createdAt: tx.clock.now(),
      expiresAt,
    });
    const payload = { build_id: buildId, ...(attachmentId !== null && { attachment_id: attachmentId }) };
    await this.audit.record(tx, { type: 'build.download_url_created', organizationId, projectId, payload });
    return { token, fileName, expiresAt };
  }

  /** The last segment is the file name, because some phones ignore the name in the headers. */
  private urlOf({ token, fileName, expiresAt }: OpenTicketToken): DownloadUrl {
    return { url: `${this.config.installBaseUrl}/download/${token}/${encodeURIComponent(fileName)}`, expiresAt };
  }
}

/** The ticket's owner, for the log, and the install link whose deletion deletes the ticket. */
function minterOf(
  identity: Identity,
): Pick<DownloadTicketEntity, 'mintedByKind' | 'mintedById' | 'inviteId' | 'testerId' | 'channelId'> {
  const { kind, id } = ownerOf(identity);
  const inviteId = identity.kind === 'invite' ? identity.inviteId : null;
  const testerId = identity.kind === 'invite' ? identity.testerId : null;
  const channelId = isWithoutAccount(identity) ? identity.channelId : null;
  return { mintedByKind: kind, mintedById: id, inviteId, testerId, channelId };
}
