import { Injectable } from '@nestjs/common';
import { type Identity, ownerOf } from '#kernel/context/identity';
import { type RequestContext } from '#kernel/context/request-context';
import { type DeviceFamily } from '#kernel/builds/device';
import { AppError } from '#kernel/errors/app-error';
import { newId } from '#kernel/ids';
import { type ProjectScope } from '#kernel/context/scope';
import { digestOf, isLinkToken, newLinkToken } from '#kernel/access/token-format';
import { BillingService } from '#modules/billing';
import { StorageService } from '#modules/storage';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { HttpConfig } from '#infra/config/config';
import { Transactions } from '#infra/database/transactions';
import { mediaTypeOf } from '#infra/blob/download-headers';
import { type BlobDelivery, type BlobStore } from '#infra/blob/blob-store';
import { type ArtifactFile, type Build } from '../catalogue/build';
import { BuildsService } from '../catalogue/builds.service';
import { type DownloadTicketEntity } from './download-ticket.entity';
import { DownloadsRepository, type ValidTicket } from './downloads.repository';

/** A URL that downloads one artifact. It is the entire credential. */
export interface DownloadUrl {
  readonly url: string;
  readonly expiresAt: Date;
}

/** An artifact with what is needed to send it. */
export interface OpenDownload {
  readonly store: BlobStore;
  readonly key: string;
  readonly sizeBytes: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  readonly fileName: string;
  readonly mediaType: string;
  readonly delivery: BlobDelivery;
  /** Called when the store sent other bytes than were uploaded. */
  readonly onDamaged: () => void;
}

/** The artifact of a download ticket. */
export interface TicketDownload extends OpenDownload {
  readonly ticketId: string;
  /** Must be called when the store has opened the bytes, before the first is sent. Throws when the ticket has ended. */
  readonly beforeSend: (plannedBytes: number) => Promise<void>;
}

/**
 * Downloads by ticket. Minting a ticket makes a reservation, and the first use settles it. Ranges and retries with the same
 * ticket cost nothing more.
 */
@Injectable()
export class DownloadsService {
  constructor(
    private readonly repository: DownloadsRepository,
    private readonly builds: BuildsService,
    private readonly billing: BillingService,
    private readonly storage: StorageService,
    private readonly config: HttpConfig,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
  ) {}

  /** Mints a ticket. @throws AppError not_found; the errors of a billing reservation. */
  async mint(ctx: RequestContext, scope: ProjectScope, buildId: string): Promise<DownloadUrl> {
    return this.transactions.run(ctx, async (tx) => {
      await this.repository.lockBuild(tx, buildId);
      const build = await this.builds.get(tx, scope, buildId);
      const { sizeBytes } = build;
      const reservation = await this.billing.reserve(tx, {
        organizationId: scope.organizationId,
        kind: 'download',
        sizeBytes,
      });
      const token = newLinkToken();
      await this.repository.insert(tx, {
        ...scope,
        id: newId(),
        buildId,
        digest: digestOf(token),
        reservationId: reservation.id,
        ...minterOf(tx.identity),
        servedBytes: '0',
        settledAt: null,
        createdAt: tx.clock.now(),
        expiresAt: reservation.expiresAt,
      });
      await this.audit.record(tx, { type: 'build.download_url_created', ...scope, payload: { build_id: buildId } });
      return { url: this.urlOf(token, build), expiresAt: reservation.expiresAt };
    });
  }

  /**
   * The artifact of a ticket.
   * @param device the device family of the request, for the download log.
   * @throws AppError not_found for a ticket that is invalid, has expired, or has served three times its artifact.
   */
  async open(ctx: RequestContext, token: string, device: DeviceFamily): Promise<TicketDownload> {
    const found = isLinkToken(token) ? await this.repository.findValid(ctx, digestOf(token)) : null;
    if (!found) throw invalidTicket();
    const { ticket, file } = found;
    return {
      ...(await this.describe(ctx, file)),
      ticketId: ticket.id,
      beforeSend: (plannedBytes) => this.use(ctx, ticket, plannedBytes, { sizeBytes: file.sizeBytes, device }),
    };
  }

  /** What is needed to send an artifact. */
  async describe(ctx: RequestContext, { sizeBytes, sha256, fileName, blob }: ArtifactFile): Promise<OpenDownload> {
    return {
      store: await this.storage.storeOf(ctx, blob.account),
      key: blob.key,
      sizeBytes,
      sha256,
      fileName,
      mediaType: mediaTypeOf(fileName),
      delivery: this.storage.delivery,
      onDamaged: () => this.storage.reportDamage(blob),
    };
  }

  /** Counts a response. The first one settles the reservation at the artifact's size and starts the log entry. */
  private async use(
    ctx: RequestContext,
    ticket: ValidTicket,
    plannedBytes: number,
    { sizeBytes, device }: { readonly sizeBytes: number; readonly device: DeviceFamily },
  ): Promise<void> {
    const count = async (within: RequestContext): Promise<'first' | 'again'> => {
      const use = await this.repository.use(within, ticket.id, plannedBytes);
      if (use === null) throw invalidTicket();
      return use;
    };
    if (ticket.settled) return void (await count(ctx));
    await this.transactions.run(ctx, async (tx) => {
      await this.repository.lockBuild(tx, ticket.buildId);
      if ((await count(tx)) === 'again') return;
      await this.billing.settle(tx, ticket.reservationId, sizeBytes);
      await this.repository.logStart(tx, ticket, device);
    });
  }

  /** The last segment is the file name, because some phones ignore the name in the headers. */
  private urlOf(token: string, { fileName }: Build): string {
    return `${this.config.installBaseUrl}/download/${token}/${encodeURIComponent(fileName)}`;
  }
}

/** The ticket's owner, for the log, and the install link whose deletion deletes the ticket. */
function minterOf(
  identity: Identity,
): Pick<DownloadTicketEntity, 'mintedByKind' | 'mintedById' | 'inviteId' | 'testerId' | 'channelId'> {
  const { kind, id } = ownerOf(identity);
  const { inviteId, testerId, channelId } =
    identity.kind === 'invite' ? identity : { inviteId: null, testerId: null, channelId: null };
  return { mintedByKind: kind, mintedById: id, inviteId, testerId, channelId };
}

const invalidTicket = (): AppError =>
  new AppError('not_found', { message: 'This download URL is invalid or has expired. Request a new one.' });
