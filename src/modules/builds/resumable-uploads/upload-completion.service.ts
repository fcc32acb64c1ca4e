import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { type ProjectScope } from '#kernel/context/scope';
import { Transactions } from '#infra/database/transactions';
import { ArtifactAssembler } from './artifact-assembler';
import { type UploadedBuild } from '../catalogue/build';
import { BuildsService } from '../catalogue/builds.service';
import { isOpen, cleanupOf, type OpenUpload } from './resumable-upload';
import { ResumableUploadsRepository } from './resumable-uploads.repository';
import { type StoredArtifact } from '../uploads/upload';
import { UploadPartsService } from './upload-parts.service';
import { UploadsService } from '../uploads/uploads.service';

/** The end of a resumable upload: from its parts to its build. */
@Injectable()
export class UploadCompletionService {
  constructor(
    private readonly repository: ResumableUploadsRepository,
    private readonly parts: UploadPartsService,
    private readonly assembler: ArtifactAssembler,
    private readonly uploads: UploadsService,
    private readonly builds: BuildsService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Makes the artifact of the parts, checks and reads it, and lets `commit` make the build of it (null: it is one already).
   * Billing-gated like the parts' addresses. An artifact that is refused ends the upload; whatever else fails leaves it as it is,
   * to be completed again.
   * @throws AppError invalid_input with details.reason `parts_missing` and details.missing_parts, or why it is refused.
   */
  async complete<T>(
    ctx: RequestContext,
    scope: ProjectScope,
    id: string,
    commit: (artifact: StoredArtifact | null) => Promise<T>,
  ): Promise<T> {
    const upload = await this.repository.find(ctx, scope, id);
    if (!upload) throw noSuchUpload();
    if (!isOpen(upload)) return commit(null);
    await this.uploads.hold(ctx, cleanupOf(upload), upload.sizeBytes);
    try {
      return await commit(await this.artifactOf(ctx, upload));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      // Whoever has dropped it meanwhile has taken its parts away, which a store may say in many ways.
      if (!(await this.repository.find(ctx, scope, id))) throw noSuchUpload();
      if (error.entry.code === 'invalid_input' && !GOES_ON.includes(error.details['reason'])) {
        await this.transactions.run(ctx, (tx) => this.uploads.giveUp(tx, cleanupOf(upload), 'refused'));
      }
      throw error;
    }
  }

  /** Makes the build; of several at once the first one does, and the others are told its build. */
  commit(
    ctx: RequestContext,
    scope: ProjectScope,
    id: string,
    artifact: StoredArtifact | null,
  ): Promise<UploadedBuild> {
    return this.transactions.run(ctx, async (tx) => {
      const upload = await this.repository.lock(tx, scope, id);
      if (upload?.buildId) {
        return { ...(await this.builds.get(tx, scope, upload.buildId)), releaseId: upload.releaseId };
      }
      if (!upload || !artifact) throw noSuchUpload();
      const build = await this.builds.create(tx, scope, artifact, upload.draft);
      await this.repository.complete(tx, id, build);
      await this.uploads.dropLateParts(tx, artifact.upload);
      return build;
    });
  }

  private async artifactOf(ctx: RequestContext, upload: OpenUpload): Promise<StoredArtifact> {
    const { parts } = await this.parts.progressOf(ctx, upload);
    const missing = parts.filter(({ arrived }) => !arrived).map(({ partNumber }) => partNumber);
    if (missing.length > 0) throw partsMissing(missing);
    return this.assembler.assemble(ctx, upload);
  }
}

const noSuchUpload = (): AppError => AppError.notFound('upload');

const partsMissing = (missing: readonly number[]): AppError =>
  AppError.invalidInput(
    'parts_missing',
    `${missing.length} parts have not arrived yet. Send them, and complete again.`,
    {
      missing_parts: missing,
    },
  );

/** Reasons that do not speak against the artifact: parts are still to come, or came again while they were put together. */
const GOES_ON: readonly unknown[] = ['parts_missing', 'parts_mismatch'];
