import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { type BlobPlace, ByosaService, type StorageAccount, StorageService } from '#modules/storage';
import { copyBlob, type CopyOutcome } from '#infra/blob/copy-blob';
import { Transactions } from '#infra/database/transactions';
import { Jobs } from '#infra/jobs/jobs';
import { BuildRelocationRepository, type RelocatableBuild, type Move } from './build-relocation.repository';

/** Stores have bad moments; a copy of thousands of artifacts does not end at the first. */
const MAX_TRIES = 3;

/** What became of a move of all artifacts of an organization. */
export interface Moved {
  readonly moved: number;
  readonly movedBytes: number;
  /** Builds whose artifact was missing or damaged where it was; they stay there. */
  readonly failed: readonly { readonly buildId: string; readonly reason: string }[];
  /** What is still elsewhere: builds, and uploads that were begun before. */
  readonly left: { readonly builds: number; readonly uploads: number };
}

/**
 * Moves artifacts from one account to another, while they are downloaded and others are uploaded. An artifact is copied and
 * compared with the build's SHA-256 on its way; then the build is told, in one transaction; its old blob goes a day later, when
 * nobody reads it any more. Killed at any point, the same call goes on where it was.
 */
@Injectable()
export class BuildRelocationService implements OnModuleInit {
  constructor(
    private readonly repository: BuildRelocationRepository,
    private readonly storage: StorageService,
    private readonly byosa: ByosaService,
    private readonly transactions: Transactions,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.byosa.accountUse.add((ctx, account) => this.repository.isUsed(ctx, account));
    this.jobs.schedule('builds.end-moves', '17 * * * *', (ctx) => this.endMoves(ctx));
  }

  /**
   * Moves all artifacts of an organization that are not in the account.
   * @throws AppError storage_backend_unavailable when a store stays away; what was moved is moved.
   */
  async moveAll(
    ctx: RequestContext,
    organizationId: string,
    to: StorageAccount,
    report: (done: number) => void,
  ): Promise<Moved> {
    const failed: Moved['failed'][number][] = [];
    let [moved, movedBytes] = [0, 0];
    for (const move of await this.repository.findHalfWay(ctx, organizationId)) await this.undo(ctx, move);
    let last: string | null = null;
    for (;;) {
      const builds: RelocatableBuild[] = await this.repository.findElsewhere(ctx, organizationId, to, last);
      if (builds.length === 0) break;
      for (const build of builds) {
        const reason = await this.move(ctx, build, to);
        if (reason === null) {
          moved++;
          movedBytes += build.sizeBytes;
        } else failed.push({ buildId: build.id, reason });
        last = build.id;
        report(moved + failed.length);
      }
    }
    return { moved, movedBytes, failed, left: await this.repository.countElsewhere(ctx, organizationId, to) };
  }

  countElsewhere(ctx: RequestContext, organizationId: string, account: StorageAccount): Promise<Moved['left']> {
    return this.repository.countElsewhere(ctx, organizationId, account);
  }

  /** Lets go of old blobs that nobody reads any more, and of copies of builds that are gone. */
  async endMoves(ctx: RequestContext): Promise<void> {
    await this.inBatches(ctx, async (tx) => {
      const moves = await this.repository.forgetDue(tx);
      for (const { from } of moves) await this.storage.deleteLater(tx, from);
      return moves;
    });
    await this.inBatches(ctx, async (tx) => {
      const moves = await this.repository.forgetPointless(tx);
      for (const { to } of moves) await this.dropCopy(tx, to);
      return moves;
    });
  }

  /** Takes the copy back. Whoever is at it still finds no move any more, and so does not tell the build of it. */
  private undo(ctx: RequestContext, { id }: Move): Promise<void> {
    return this.transactions.run(ctx, async (tx) => {
      const move = await this.repository.lock(tx, id);
      if (!move) return;
      await this.repository.forget(tx, id);
      await this.dropCopy(tx, move.to);
    });
  }

  /** With its parts: it may be one that was killed. */
  private dropCopy(tx: RequestContext, copy: BlobPlace): Promise<void> {
    return this.storage.abortLater(tx, copy, null);
  }

  /** Until there is nothing left to do. */
  private async inBatches(
    ctx: RequestContext,
    work: (tx: RequestContext) => Promise<readonly unknown[]>,
  ): Promise<void> {
    while ((await this.transactions.run(ctx, work)).length > 0);
  }

  /** @returns why it could not be moved, or null. */
  private async move(ctx: RequestContext, build: RelocatableBuild, to: StorageAccount): Promise<string | null> {
    for (let tries = 1; ; tries++) {
      try {
        const move = await this.repository.begin(ctx, build, to);
        if (move.to.account !== to)
          throw new AppError('storage_backend_unavailable', { cause: 'a move is not undone' });
        const outcome = await this.copy(ctx, build, move);
        const isThere = outcome === 'copied' || outcome === 'kept';
        await (isThere ? this.finish(ctx, move) : this.undo(ctx, move));
        return isThere ? null : outcome;
      } catch (error) {
        if (tries === MAX_TRIES || !isUnavailable(error)) throw error;
      }
    }
  }

  private async copy(
    ctx: RequestContext,
    { sha256, sizeBytes }: RelocatableBuild,
    { from, to }: Move,
  ): Promise<CopyOutcome> {
    const source = { store: await this.storage.storeOf(ctx, from.account), key: from.key };
    const target = { store: await this.storage.storeOf(ctx, to.account), key: to.key };
    return copyBlob(source, target, { sha256, sizeBytes });
  }

  /** If the build is gone meanwhile, its copy goes later, by the note; or at once where that is gone, too. */
  private finish(ctx: RequestContext, { id, to }: Move): Promise<void> {
    return this.transactions.run(ctx, async (tx) => {
      const move = await this.repository.lock(tx, id);
      if (move) {
        if (await this.repository.rebind(tx, move)) await this.repository.noteCopied(tx, id);
      } else if (!(await this.repository.isBound(tx, to))) {
        await this.storage.deleteLater(tx, to);
      }
    });
  }
}

const isUnavailable = (error: unknown): boolean =>
  error instanceof AppError && error.errorCase === 'storage_backend_unavailable';
