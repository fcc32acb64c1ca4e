import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { scopeOf } from '#kernel/context/scope';
import { Transactions } from '#infra/database/transactions';
import { BillingService } from '#modules/billing';
import {
  type Attachment,
  AttachmentsService,
  type BuildDraft,
  BuildsService,
  type BuildWithDetails,
  type NewArtifact,
  type NewAttachment,
  type RestoredBuild,
  TrashService,
} from '#modules/builds';
import { type BranchProblem } from '#modules/channels';
import { ReleasesService } from '#modules/releases';
import { HOSTED } from '#modules/storage';
import { type AttachmentTarget, type Upload } from './lifecycle/upload';
import { UploadLifecycleService } from './lifecycle/upload-lifecycle.service';
import { PromotionTargetsService } from './promotion-targets.service';

/** The build that an upload has made. */
export interface UploadedBuild extends BuildWithDetails {
  /** The release that the build was promoted as; null when the upload named no channel and its branch has none. */
  readonly releaseId: string | null;
  /** Why the build was not promoted to the channel of its branch; null when it was, or when none belongs to the branch. */
  readonly branchProblem: BranchProblem | null;
  /** Whether the build was in the trash, and the upload restored it. */
  readonly isRestored: boolean;
}

/** The last transaction of every upload. */
@Injectable()
export class UploadCommitService {
  constructor(
    private readonly lifecycle: UploadLifecycleService,
    private readonly builds: BuildsService,
    private readonly attachments: AttachmentsService,
    private readonly releases: ReleasesService,
    private readonly targets: PromotionTargetsService,
    private readonly billing: BillingService,
    private readonly trash: TrashService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Makes the build of a stored artifact, with its install link and release; ends the upload and starts the storage meter. When the trash has
   * the same build, it is restored instead, with the new artifact in place of its own.
   * Rows are locked in this order: build, upload, billing account. The account comes last, because every upload of the
   * organization contends for it.
   * @throws AppError invalid_input when the draft and the artifact contradict each other; the errors of `PromotionTargetsService.require`;
   * storage_backend_unavailable when the upload's lease has expired.
   */
  async commit(ctx: RequestContext, upload: Upload, artifact: NewArtifact, draft: BuildDraft): Promise<UploadedBuild> {
    const scope = scopeOf(upload);
    if (draft.channelId !== undefined) await this.targets.require(ctx, scope, draft.channelId);
    return this.transactions.run(ctx, async (tx) => {
      const restored = await this.trash.restoreIdentical(tx, scope, artifact, draft);
      const build = restored?.build ?? (await this.builds.create(tx, scope, artifact, draft));
      const { channelId, notify, branchProblem } = await this.targets.find(tx, scope, draft);
      const release =
        channelId === null
          ? null
          : await this.releases.promote(tx, { ...scope, channelId }, { buildId: build.id, notify });
      await this.lifecycle.finish(tx, upload, artifact.sizeBytes);
      if (restored) await this.continueStorage(tx, upload, restored, artifact);
      else await this.startStorage(tx, upload, build.id, artifact);
      return { ...build, releaseId: release?.id ?? null, branchProblem, isRestored: restored !== null };
    });
  }

  /** The meter of a restored build goes on. It changes when the new artifact is in another store. */
  private async continueStorage(
    tx: RequestContext,
    upload: Upload,
    { build, replaced }: RestoredBuild,
    { blob }: NewArtifact,
  ): Promise<void> {
    await this.lifecycle.endReplaced(tx, upload, replaced);
    if (replaced.account === blob.account) return;
    await this.billing.moveStorage(tx, upload.organizationId, build.id, { isHosted: blob.account === HOSTED });
  }

  private async startStorage(
    tx: RequestContext,
    upload: Upload,
    buildId: string,
    artifact: NewArtifact,
  ): Promise<void> {
    const { sizeBytes, blob } = artifact;
    const stored = { ...scopeOf(upload), buildId, sizeBytes, isHosted: blob.account === HOSTED };
    await this.billing.startStorage(tx, stored, upload.id);
  }

  /**
   * Adds a stored file to a build; ends the upload and starts the storage meter. Locks rows in the order of `commit`.
   * @throws AppError those of `AttachmentsService.create`; storage_backend_unavailable when the upload's lease has expired.
   */
  async attach(ctx: RequestContext, upload: Upload, file: NewAttachment, draft: AttachmentTarget): Promise<Attachment> {
    return this.transactions.run(ctx, async (tx) => {
      const attachment = await this.attachments.create(tx, upload, draft.buildId, file, draft);
      await this.lifecycle.finish(tx, upload, file.sizeBytes);
      await this.attachments.startStorage(tx, attachment, upload.id);
      return attachment;
    });
  }
}
