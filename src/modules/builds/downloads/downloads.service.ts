import { Injectable } from '@nestjs/common';
import { digestOf, isLinkToken } from '#kernel/access/token-format';
import { type DeviceFamily } from '#kernel/builds/device';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { type BlobDelivery, type BlobStore } from '#infra/blob/blob-store';
import { mediaTypeOf } from '#infra/blob/download-headers';
import { Transactions } from '#infra/database/transactions';
import { BillingService } from '#modules/billing';
import { LinkRulesService } from '#modules/install-links';
import { DamageReportService, StorageService } from '#modules/storage';
import { type ArtifactFile } from '../catalogue/build';
import { ArtifactPresenceService } from './artifact-presence.service';
import { type CountedUse, DownloadsRepository, type ValidTicket } from './downloads.repository';
import { type CachedTicket, SettledTicketsService } from './settled-tickets.service';

/** An artifact with the data that is needed to send it. */
export interface OpenDownload {
  readonly store: BlobStore;
  readonly key: string;
  readonly sizeBytes: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  readonly fileName: string;
  readonly mediaType: string;
  readonly delivery: BlobDelivery;
  /** Called when the store sent bytes that differ from the uploaded ones. */
  readonly onDamaged: () => void;
}

/** The artifact of a download ticket. */
export interface TicketDownload extends OpenDownload {
  readonly ticketId: string;
  /** Throws when the store is unavailable, or does not hold the artifact. */
  readonly beforeRedirect: () => Promise<void>;
  /** Must be called when the store has opened the bytes, before the first is sent. Throws when the ticket has ended. */
  readonly beforeSend: (plannedBytes: number) => Promise<void>;
}

/** Downloads by ticket. The first use of a ticket settles its reservation. Ranges and retries with the same ticket cost nothing more. */
@Injectable()
export class DownloadsService {
  constructor(
    private readonly repository: DownloadsRepository,
    private readonly settled: SettledTicketsService,
    private readonly billing: BillingService,
    private readonly storage: StorageService,
    private readonly damage: DamageReportService,
    private readonly presence: ArtifactPresenceService,
    private readonly transactions: Transactions,
    private readonly linkRules: LinkRulesService,
  ) {}

  /**
   * The artifact of a ticket.
   * @param device the device family of the request, for the download log.
   * @throws AppError not_found for a ticket that is invalid, has expired, or has served three times its artifact's size.
   */
  async open(ctx: RequestContext, token: string, device: DeviceFamily): Promise<TicketDownload> {
    if (!isLinkToken(token)) throw invalidTicket();
    const digest = digestOf(token);
    const found = await this.repository.findValid(ctx, digest);
    this.settled.cache(digest, found);
    if (!found) throw invalidTicket();
    const { ticket, file } = found;
    return this.downloadOf(ctx, found, (plannedBytes) =>
      this.use(ctx, ticket, plannedBytes, { sizeBytes: file.sizeBytes, device }),
    );
  }

  /**
   * The artifact of a ticket that an earlier request opened, without reading the ticket; null when the ticket is unknown. The ticket may
   * have ended, which only `beforeSend` detects: a response that sends no bytes must not rely on the result. Any failure before the first
   * byte may be due to outdated data, so the caller then opens the ticket.
   */
  async openCached(ctx: RequestContext, token: string): Promise<TicketDownload | null> {
    const cached = isLinkToken(token) && this.settled.find(digestOf(token));
    if (!cached) return null;
    return this.downloadOf(ctx, cached, async (plannedBytes) => {
      if (!(await this.settled.count(ctx, cached, plannedBytes))) throw invalidTicket();
    });
  }

  private async downloadOf(
    ctx: RequestContext,
    { ticket, file }: CachedTicket,
    beforeSend: TicketDownload['beforeSend'],
  ): Promise<TicketDownload> {
    const described = await this.describe(ctx, file);
    return {
      ...described,
      delivery: ticket.streamed && described.delivery === 'auto' ? 'stream' : described.delivery,
      ticketId: ticket.id,
      beforeRedirect: () => this.presence.require(described.store, file),
      beforeSend,
    };
  }

  /** The data that is needed to send an artifact. */
  async describe(ctx: RequestContext, { sizeBytes, sha256, fileName, blob }: ArtifactFile): Promise<OpenDownload> {
    return {
      store: await this.storage.storeOf(ctx, blob.account),
      key: blob.key,
      sizeBytes,
      sha256,
      fileName,
      mediaType: mediaTypeOf(fileName),
      delivery: this.storage.delivery,
      onDamaged: () => this.damage.add(blob),
    };
  }

  /** Counts a response. The first one settles the reservation at the artifact's size and starts the log entry. */
  private async use(
    ctx: RequestContext,
    ticket: ValidTicket,
    plannedBytes: number,
    { sizeBytes, device }: { readonly sizeBytes: number; readonly device: DeviceFamily },
  ): Promise<void> {
    const count = async (within: RequestContext): Promise<CountedUse> => {
      const use = await this.repository.use(within, ticket.id, plannedBytes);
      if (use === null) throw invalidTicket();
      return use;
    };
    if (ticket.settled) return void (await count(ctx));
    await this.transactions.run(ctx, async (tx) => {
      await this.repository.lockBuild(tx, ticket.buildId);
      const { isFirst, linkId } = await count(tx);
      if (!isFirst) return;
      if (linkId !== null && !(await this.linkRules.countDownload(tx, linkId))) throw invalidTicket();
      await this.billing.settle(tx, ticket.reservationId, sizeBytes);
      if (isOfApp(ticket)) await this.repository.logStart(tx, ticket, device);
    });
  }
}

/** Whether a ticket downloads the app, which the log and the counters of its build show, rather than a file about it. */
const isOfApp = ({ attachmentKind }: ValidTicket): boolean => attachmentKind === null || attachmentKind === 'update';

const invalidTicket = (): AppError =>
  new AppError('not_found', { message: 'This download URL is invalid or has expired. Request a new one.' });
