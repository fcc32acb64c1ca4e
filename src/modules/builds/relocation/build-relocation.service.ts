import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { copyBlob, type CopyOutcome } from '#infra/blob/copy-blob';
import { Transactions } from '#infra/database/transactions';
import { Jobs } from '#infra/jobs/jobs';
import { BillingService } from '#modules/billing';
import { type BlobPlace, ByosaService, HOSTED, type StorageAccount, StorageService } from '#modules/storage';
import { type BlobCounts, KnownBlobs } from '../orphans/known-blobs';
import { BuildRelocationRepository, type RelocatableFile, type Relocation } from './build-relocation.repository';

/** Attempts per artifact when a store is temporarily unavailable. */
const MAX_TRIES = 3;

/** The result of relocating an organization's artifacts. */
export interface RelocationReport {
  readonly moved: number;
  readonly movedBytes: number;
  /** Files of builds that are missing or damaged. They stay in their account. `buildId` is the attachment when it has no build. */
  readonly failed: readonly { readonly buildId: string; readonly reason: string }[];
  /** Builds and attachments that are still in another account, and pending uploads to another account. */
  readonly left: BlobCounts;
}

/**
 * Relocates artifacts and attachments from one storage account to another, while they are downloaded and others are uploaded. Each artifact is
 * copied and compared with the build's SHA-256; then one transaction updates the build; the old blob is deleted a day later,
 * after running downloads have ended. After a crash, the same call continues (docs/decisions/0017-storage-of-organizations.md).
 */
@Injectable()
export class BuildRelocationService implements OnModuleInit {
  constructor(
    private readonly repository: BuildRelocationRepository,
    private readonly knownBlobs: KnownBlobs,
    private readonly storage: StorageService,
    private readonly byosa: ByosaService,
    private readonly billing: BillingService,
    private readonly transactions: Transactions,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.byosa.accountUse.add((ctx, account) => this.knownBlobs.isUsed(ctx, account));
    this.billing.outsideHostedStore.add((ctx, organizationId) =>
      this.repository.listOutsideHostedStore(ctx, organizationId),
    );
    this.jobs.schedule('builds.end-moves', '17 * * * *', (ctx) => this.endMoves(ctx));
  }

  /**
   * Relocates all artifacts of an organization that are not in the account.
   * @param report called after each artifact with the number of artifacts so far.
   * @throws AppError storage_backend_unavailable when a store stays unavailable. Relocated artifacts stay relocated.
   */
  async moveAll(
    ctx: RequestContext,
    organizationId: string,
    to: StorageAccount,
    report: (done: number) => void,
  ): Promise<RelocationReport> {
    const failed: RelocationReport['failed'][number][] = [];
    let [moved, movedBytes] = [0, 0];
    for (const unfinished of await this.repository.findUnfinished(ctx, organizationId)) {
      await this.undo(ctx, unfinished);
    }
    let last: string | null = null;
    for (;;) {
      const files: RelocatableFile[] = await this.repository.findElsewhere(ctx, organizationId, to, last);
      if (files.length === 0) break;
      for (const file of files) {
        const reason = await this.move(ctx, file, to);
        if (reason === null) {
          moved++;
          movedBytes += file.sizeBytes;
        } else failed.push({ buildId: file.buildId ?? file.id, reason });
        last = file.id;
        report(moved + failed.length);
      }
    }
    return { moved, movedBytes, failed, left: await this.knownBlobs.countElsewhere(ctx, organizationId, to) };
  }

  countElsewhere(ctx: RequestContext, organizationId: string, account: StorageAccount): Promise<BlobCounts> {
    return this.knownBlobs.countElsewhere(ctx, organizationId, account);
  }

  /** Deletes old blobs after their last read, and copies of builds that were deleted during the copy. */
  async endMoves(ctx: RequestContext): Promise<void> {
    await this.inBatches(ctx, async (tx) => {
      const relocations = await this.repository.deleteDue(tx);
      for (const { from } of relocations) await this.storage.deleteLater(tx, from);
      return relocations;
    });
    await this.inBatches(ctx, async (tx) => {
      const relocations = await this.repository.deleteOrphaned(tx);
      for (const { to } of relocations) await this.deleteCopy(tx, to);
      return relocations;
    });
  }

  /** Deletes the copy. If another process is still copying, its `finish` finds no row and leaves the build unchanged. */
  private undo(ctx: RequestContext, { id }: Relocation): Promise<void> {
    return this.transactions.run(ctx, async (tx) => {
      const relocation = await this.repository.lock(tx, id);
      if (!relocation) return;
      await this.repository.delete(tx, id);
      await this.deleteCopy(tx, relocation.to);
    });
  }

  /** Deletes parts of the copy too: the process that wrote it may have been killed. */
  private deleteCopy(tx: RequestContext, copy: BlobPlace): Promise<void> {
    return this.storage.abortLater(tx, copy, null);
  }

  /** Runs `work` in transactions of its own until it returns nothing. */
  private async inBatches(
    ctx: RequestContext,
    work: (tx: RequestContext) => Promise<readonly unknown[]>,
  ): Promise<void> {
    while ((await this.transactions.run(ctx, work)).length > 0);
  }

  /** @returns why the artifact could not be relocated; null when it was. */
  private async move(ctx: RequestContext, file: RelocatableFile, to: StorageAccount): Promise<string | null> {
    for (let tries = 1; ; tries++) {
      try {
        const relocation = await this.repository.start(ctx, file, to);
        if (relocation.to.account !== to)
          throw new AppError('storage_backend_unavailable', { cause: 'another relocation of the file is unfinished' });
        const outcome = await this.copy(ctx, file, relocation);
        const isCopied = outcome === 'copied' || outcome === 'kept';
        await (isCopied ? this.finish(ctx, file.organizationId, relocation) : this.undo(ctx, relocation));
        return isCopied ? null : outcome;
      } catch (error) {
        if (tries === MAX_TRIES || !isUnavailable(error)) throw error;
      }
    }
  }

  private async copy(
    ctx: RequestContext,
    { sha256, sizeBytes }: RelocatableFile,
    { from, to }: Relocation,
  ): Promise<CopyOutcome> {
    const source = { store: await this.storage.storeOf(ctx, from.account), key: from.key };
    const target = { store: await this.storage.storeOf(ctx, to.account), key: to.key };
    return copyBlob(source, target, { sha256, sizeBytes });
  }

  /** Attachments have a storage meter only while they are in the hosted store; a build has one that is paused elsewhere. */
  private async moveMeter(
    tx: RequestContext,
    organizationId: string,
    { fileId, to }: Relocation,
    attachmentBytes: number | null,
  ): Promise<void> {
    if (attachmentBytes === null)
      return this.billing.moveStorage(tx, organizationId, fileId, { isHosted: to.account === HOSTED });
    await this.billing.endStorage(tx, organizationId, [fileId]);
    if (to.account !== HOSTED) return;
    await this.billing.startStorage(tx, {
      organizationId,
      buildId: fileId,
      sizeBytes: attachmentBytes,
      isHosted: true,
    });
  }

  /**
   * Updates the file's row and its storage meter. If the build was deleted, `endMoves` deletes the copy by its row; if the row is gone too, the
   * copy is deleted here.
   */
  private finish(ctx: RequestContext, organizationId: string, { id, to }: Relocation): Promise<void> {
    return this.transactions.run(ctx, async (tx) => {
      const relocation = await this.repository.lock(tx, id);
      if (relocation) {
        const moved = await this.repository.setBlob(tx, relocation);
        if (!moved) return;
        await this.repository.markCopied(tx, id);
        await this.moveMeter(tx, organizationId, relocation, moved.attachmentBytes);
      } else if (!(await this.repository.hasFile(tx, to))) {
        await this.storage.deleteLater(tx, to);
      }
    });
  }
}

const isUnavailable = (error: unknown): boolean =>
  error instanceof AppError && error.errorCase === 'storage_backend_unavailable';
