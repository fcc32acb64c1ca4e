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
import { mediaTypeOf } from '#infra/blob/media-type';
import { type BlobDelivery, type BlobStore } from '#infra/blob/blob-store';
import { type ArtifactFile, type Build } from '../catalogue/build';
import { BuildsService } from '../catalogue/builds.service';
import { type DownloadTicketEntity } from './download-ticket.entity';
import { DownloadsRepository, type ValidTicket } from './downloads.repository';

/** A URL that downloads one artifact without any other credential. */
export interface DownloadUrl {
  readonly url: string;
  readonly expiresAt: Date;
}

/** An artifact that is ready to be sent. */
export interface OpenDownload {
  readonly store: BlobStore;
  readonly key: string;
  readonly sizeBytes: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  readonly fileName: string;
  readonly mediaType: string;
  readonly delivery: BlobDelivery;
}

/** One that a ticket opens. */
export interface TicketDownload extends OpenDownload {
  readonly ticketId: string;
  /** Called when the bytes of an answer are there, before they leave, with how many; throws when the ticket has ended. */
  readonly beforeSend: (plannedBytes: number) => Promise<void>;
}

/** Downloads: a ticket is minted with a reservation, its first use settles it, ranges and retries on it cost nothing more. */
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

  /** Mints a ticket. Billing-gated: what the download will take is reserved. */
  async mint(ctx: RequestContext, scope: ProjectScope, buildId: string): Promise<DownloadUrl> {
    return this.transactions.run(ctx, async (tx) => {
      await this.repository.keepBuild(tx, buildId);
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
   * What a ticket opens, and how its use is counted.
   * @param device whose request it is, for the log.
   * @throws AppError not_found for a ticket that never was, has run out, or has carried three times its artifact.
   */
  async open(ctx: RequestContext, token: string, device: DeviceFamily): Promise<TicketDownload> {
    const living = isLinkToken(token) ? await this.repository.findLiving(ctx, digestOf(token)) : null;
    if (!living) throw endedTicket();
    const { ticket, file } = living;
    return {
      ...(await this.describe(ctx, file)),
      ticketId: ticket.id,
      beforeSend: (plannedBytes) => this.use(ctx, ticket, plannedBytes, { sizeBytes: file.sizeBytes, device }),
    };
  }

  /** An artifact as it would be sent. */
  async describe(ctx: RequestContext, { sizeBytes, sha256, fileName, blob }: ArtifactFile): Promise<OpenDownload> {
    return {
      store: await this.storage.storeOf(ctx, blob.account),
      key: blob.key,
      sizeBytes,
      sha256,
      fileName,
      mediaType: mediaTypeOf(fileName),
      delivery: this.storage.delivery,
    };
  }

  /** Counts an answer; the first one settles the reservation at the artifact's size, and begins the log. */
  private async use(
    ctx: RequestContext,
    ticket: ValidTicket,
    plannedBytes: number,
    { sizeBytes, device }: { readonly sizeBytes: number; readonly device: DeviceFamily },
  ): Promise<void> {
    const count = async (within: RequestContext): Promise<'first' | 'again'> => {
      const use = await this.repository.use(within, ticket.id, plannedBytes);
      if (use === null) throw endedTicket();
      return use;
    };
    if (ticket.settled) return void (await count(ctx));
    await this.transactions.run(ctx, async (tx) => {
      await this.repository.keepBuild(tx, ticket.buildId);
      if ((await count(tx)) === 'again') return;
      await this.billing.settle(tx, ticket.reservationId, sizeBytes);
      await this.repository.logStart(tx, ticket, device);
    });
  }

  /** The last segment is the file's name: some phones go by it, whatever the headers say. */
  private urlOf(token: string, { fileName }: Build): string {
    return `${this.config.installBaseUrl}/download/${token}/${encodeURIComponent(fileName)}`;
  }
}

/** Who a ticket was made for, as the log will tell; and the link that it ends with. */
function minterOf(
  identity: Identity,
): Pick<DownloadTicketEntity, 'mintedByKind' | 'mintedById' | 'inviteId' | 'testerId' | 'channelId'> {
  const { kind, id } = ownerOf(identity);
  const { inviteId, testerId, channelId } =
    identity.kind === 'invite' ? identity : { inviteId: null, testerId: null, channelId: null };
  return { mintedByKind: kind, mintedById: id, inviteId, testerId, channelId };
}

const endedTicket = (): AppError =>
  new AppError('not_found', { message: 'This download URL has run out or never was. Ask for a new one.' });
