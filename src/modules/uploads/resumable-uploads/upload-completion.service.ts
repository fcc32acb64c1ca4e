import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { AppError } from '#kernel/errors/app-error';
import { Transactions } from '#infra/database/transactions';
import { type IdempotentWork } from '#infra/idempotency/idempotent-work';
import { type BuildDraft, BuildViews } from '#modules/builds';
import { UploadLifecycleService } from '../lifecycle/upload-lifecycle.service';
import { UploadCommitService } from '../upload-commit.service';
import { toUploadedBuildResponse, type UploadedBuildResponse } from '../uploads.dto';
import { ArtifactAssemblyService, type AssembledFile } from './artifact-assembly.service';
import { cleanupOf, isOpen, type OpenUpload } from './resumable-upload';
import { type CompletedUpload, ResumableUploadsRepository } from './resumable-uploads.repository';
import { UploadPartsService } from './upload-parts.service';

/** The end of a resumable upload: from its parts to its build. */
@Injectable()
export class UploadCompletionService {
  constructor(
    private readonly repository: ResumableUploadsRepository,
    private readonly parts: UploadPartsService,
    private readonly assembly: ArtifactAssemblyService,
    private readonly lifecycle: UploadLifecycleService,
    private readonly commits: UploadCommitService,
    private readonly views: BuildViews,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Assembles, checks and inspects the artifact and makes its build, or adds the file to its build; or returns the build of an upload that is
   * complete. A rejected file cancels the upload. After any other error the upload can be completed again.
   * @throws AppError invalid_input with details.reason `parts_missing` and details.missing_parts, or with the reason why the
   * artifact is rejected; the errors of a reservation.
   */
  async complete(
    ctx: RequestContext,
    scope: ProjectScope,
    id: string,
    work: IdempotentWork,
  ): Promise<UploadedBuildResponse> {
    const commit = (assembled: AssembledFile | null): Promise<UploadedBuildResponse> =>
      work.commit(async (tx) => {
        const { buildId, ...made } = await this.commit(tx, scope, id, assembled);
        return toUploadedBuildResponse(await this.views.get(tx, scope, buildId), made);
      });
    const upload = await this.repository.find(ctx, scope, id);
    if (!upload) throw noSuchUpload();
    if (!isOpen(upload)) return commit(null);
    try {
      return await commit(await this.assembleUnlessComplete(ctx, scope, upload));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      // If the upload was dropped in the meantime, its parts are deleted, and the store's error depends on the store.
      if (!(await this.repository.find(ctx, scope, id))) throw noSuchUpload();
      if (error.entry.code === 'invalid_input' && !RETRYABLE_REASONS.includes(error.details['reason'])) {
        await this.lifecycle.end(ctx, cleanupOf(upload), 'refused');
      }
      throw error;
    }
  }

  /** Null when a concurrent completion has made the build, which ends the reservation and deletes the parts. */
  private async assembleUnlessComplete(
    ctx: RequestContext,
    scope: ProjectScope,
    upload: OpenUpload,
  ): Promise<AssembledFile | null> {
    try {
      await this.lifecycle.ensureReservation(ctx, { ...upload, blob: upload.pending.blob }, upload.sizeBytes);
      await this.requireAllParts(ctx, upload);
      return await this.assembly.assemble(ctx, upload);
    } catch (error) {
      const found = error instanceof AppError && (await this.repository.find(ctx, scope, upload.id));
      if (found && !isOpen(found)) return null;
      throw error;
    }
  }

  /** The first of several concurrent completions makes the build or attachment, and the others return it. */
  private commit(
    ctx: RequestContext,
    scope: ProjectScope,
    id: string,
    assembled: AssembledFile | null,
  ): Promise<CompletedUpload> {
    return this.transactions.run(ctx, async (tx) => {
      const resumable = await this.repository.lock(tx, scope, id);
      if (resumable?.buildId) return { ...resumable, buildId: resumable.buildId };
      if (!resumable || !assembled) throw noSuchUpload();
      const completed = await this.make(tx, assembled, resumable.draft);
      await this.repository.complete(tx, id, completed);
      await this.lifecycle.deleteLateParts(tx, assembled.upload);
      return completed;
    });
  }

  private async make(
    tx: RequestContext,
    { upload, artifact, attachment }: AssembledFile,
    draft: BuildDraft,
  ): Promise<CompletedUpload> {
    if (artifact) {
      const build = await this.commits.commit(tx, upload, artifact, draft);
      const { id: buildId, releaseId, branchProblem } = build;
      return { buildId, releaseId, attachmentId: null, branchProblem };
    }
    const { file, target } = attachment;
    const { id } = await this.commits.attach(tx, upload, file, target);
    return { buildId: target.buildId, releaseId: null, attachmentId: id };
  }

  private async requireAllParts(ctx: RequestContext, upload: OpenUpload): Promise<void> {
    const { parts } = await this.parts.progressOf(ctx, upload);
    const missing = parts.filter(({ arrived }) => !arrived).map(({ partNumber }) => partNumber);
    if (missing.length === 0) return;
    await this.parts.requireAtStore(ctx, upload);
    throw partsMissing(missing);
  }
}

const noSuchUpload = (): AppError => AppError.notFound('upload');

const partsMissing = (missing: readonly number[]): AppError =>
  AppError.invalidInput('parts_missing', `${missing.length} parts have not arrived. Send them and complete again.`, {
    missing_parts: missing,
  });

/** Reasons that do not reject the artifact: parts are missing, or changed while the artifact was assembled. */
const RETRYABLE_REASONS: readonly unknown[] = ['parts_missing', 'parts_mismatch'];
