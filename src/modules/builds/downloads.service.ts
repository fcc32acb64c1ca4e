import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { newId } from '#kernel/ids/ids';
import { type ProjectScope } from '#kernel/scope/scope';
import { digestOf, isLinkToken, newLinkToken } from '#kernel/tokens/token-format';
import { BillingService } from '#modules/billing';
import { StorageService } from '#modules/storage';
import { AuditRecorder } from '#platform/audit/audit-recorder';
import { HttpConfig } from '#platform/config/config';
import { Transactions } from '#platform/database/transactions';
import { mediaTypeOf } from '#platform/http/media-type';
import { type SendBlobOptions } from '#platform/http/send-blob';
import { type Build } from './build';
import { BuildsService } from './builds.service';
import { DownloadsRepository } from './downloads.repository';

/** A URL that downloads one artifact without any other credential. */
export interface DownloadUrl {
  readonly url: string;
  readonly expiresAt: Date;
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
      const build = await this.builds.get(tx, scope, buildId);
      const { sizeBytes } = build;
      const reservation = await this.billing.reserve(tx, {
        organizationId: scope.organizationId,
        kind: 'download',
        sizeBytes,
      });
      const token = newLinkToken();
      await this.repository.insert(tx, {
        id: newId(),
        ...scope,
        buildId,
        digest: digestOf(token),
        reservationId: reservation.id,
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
   * @throws AppError not_found for a ticket that never was, has run out, or has carried three times its artifact.
   */
  async open(ctx: RequestContext, token: string): Promise<SendBlobOptions> {
    const ticket = isLinkToken(token) ? await this.repository.findLiving(ctx, digestOf(token)) : null;
    if (!ticket) throw endedTicket();
    const build = await this.builds.get(ctx, ticket, ticket.buildId);
    return {
      store: this.storage.storeOf(build.blob.account),
      key: build.blob.key,
      sizeBytes: build.sizeBytes,
      sha256: build.sha256,
      fileName: build.fileName,
      mediaType: mediaTypeOf(build.fileName),
      onPlan: (plannedBytes) =>
        this.transactions.run(ctx, async (tx) => {
          const use = await this.repository.use(tx, ticket.id, plannedBytes);
          if (use === null) throw endedTicket();
          if (use === 'first') await this.billing.settle(tx, ticket.reservationId, build.sizeBytes);
        }),
    };
  }

  /** The last segment is the file's name: some phones go by it, whatever the headers say. */
  private urlOf(token: string, { fileName }: Build): string {
    return `${this.config.installBaseUrl}/download/${token}/${encodeURIComponent(fileName)}`;
  }
}

const endedTicket = (): AppError =>
  new AppError('not_found', { message: 'This download URL has run out or never was. Ask for a new one.' });
