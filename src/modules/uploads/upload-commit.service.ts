import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope, scopeOf } from '#kernel/context/scope';
import { AppError } from '#kernel/errors/app-error';
import { Transactions } from '#infra/database/transactions';
import { AccessService } from '#modules/access';
import { BillingService } from '#modules/billing';
import {
  type Attachment,
  AttachmentsService,
  type BuildDraft,
  BuildsService,
  type BuildWithDetails,
  type NewArtifact,
  type NewAttachment,
  TrashService,
} from '#modules/builds';
import { BranchChannelsService, type BranchProblem, ChannelsService } from '#modules/channels';
import { ReleasesService } from '#modules/releases';
import { HOSTED } from '#modules/storage';
import { type AttachmentTarget, type Upload } from './lifecycle/upload';
import { UploadLifecycleService } from './lifecycle/upload-lifecycle.service';

/** The build that an upload has made. */
export interface UploadedBuild extends BuildWithDetails {
  /** The release that the build was promoted as; null when the upload named no channel and its branch has none. */
  readonly releaseId: string | null;
  /** Why the build was not promoted to the channel of its branch; null when it was, or when none belongs to the branch. */
  readonly branchProblem: BranchProblem | null;
  /** Whether the build was in the trash, and the upload restored it. */
  readonly isRestored: boolean;
}

/** Where the build of an upload is promoted. */
interface PromotionTarget extends Pick<UploadedBuild, 'branchProblem'> {
  readonly channelId: string | null;
  readonly notify?: boolean | undefined;
}

/** The last transaction of every upload. */
@Injectable()
export class UploadCommitService {
  constructor(
    private readonly lifecycle: UploadLifecycleService,
    private readonly builds: BuildsService,
    private readonly attachments: AttachmentsService,
    private readonly releases: ReleasesService,
    private readonly channels: ChannelsService,
    private readonly branchChannels: BranchChannelsService,
    private readonly billing: BillingService,
    private readonly access: AccessService,
    private readonly trash: TrashService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Checks that the caller may promote into a channel: what `POST /releases` requires. Also called before the bytes are
   * received, so that a client does not send a file in vain.
   * @throws AppError the errors of `AccessService.require`; operation_not_allowed below the business plan; not_found for an unknown channel.
   */
  async requirePromotion(ctx: RequestContext, scope: ProjectScope, channelId: string): Promise<void> {
    await this.access.require(ctx, scope, { project: 'MANAGE_RELEASES', scope: 'releases:write' });
    await this.billing.requirePlan(ctx, scope.organizationId, 'business');
    if (!(await this.channels.find(ctx, scope, channelId))) throw AppError.notFound('channel');
  }

  /**
   * Makes the build of a stored artifact, with its install link and release; ends the upload and starts the storage meter. When the trash has
   * the same build, it is restored instead, and the artifact deleted.
   * Rows are locked in this order: build, upload, billing account. The account comes last, because every upload of the
   * organization contends for it.
   * @throws AppError invalid_input when the draft and the artifact contradict each other; the errors of `requirePromotion`;
   * storage_backend_unavailable when the upload's lease has expired.
   */
  async commit(ctx: RequestContext, upload: Upload, artifact: NewArtifact, draft: BuildDraft): Promise<UploadedBuild> {
    const scope = scopeOf(upload);
    if (draft.channelId !== undefined) await this.requirePromotion(ctx, scope, draft.channelId);
    return this.transactions.run(ctx, async (tx) => {
      const restored = await this.trash.restoreIdentical(tx, scope, artifact, draft);
      const build = restored ?? (await this.builds.create(tx, scope, artifact, draft));
      const { channelId, notify, branchProblem } = await this.targetOf(tx, scope, draft);
      const release =
        channelId === null
          ? null
          : await this.releases.promote(tx, { ...scope, channelId }, { buildId: build.id, notify });
      await this.lifecycle.finish(tx, upload, artifact.sizeBytes);
      if (restored) await this.lifecycle.discard(tx, upload, artifact.blob);
      else await this.startStorage(tx, upload, build.id, artifact);
      return { ...build, releaseId: release?.id ?? null, branchProblem, isRestored: restored !== null };
    });
  }

  /** The channel that the upload names, else that of its branch, which never mails. */
  private async targetOf(tx: RequestContext, scope: ProjectScope, draft: BuildDraft): Promise<PromotionTarget> {
    const { channelId, notify, branch } = draft;
    if (channelId !== undefined) return { channelId, notify, branchProblem: null };
    const target = branch === undefined ? null : await this.branchChannels.use(tx, scope, branch);
    return { channelId: target?.channelId ?? null, notify: false, branchProblem: target?.problem ?? null };
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
