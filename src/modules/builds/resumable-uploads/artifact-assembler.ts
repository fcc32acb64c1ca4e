import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { scopeOf } from '#kernel/context/scope';
import { StorageService } from '#modules/storage';
import { hashOf } from '#infra/blob/copy-blob';
import { ArtifactIntake } from '../uploads/artifact-intake.service';
import { assertHash } from '../catalogue/build-draft';
import { type OpenUpload, partsOf } from './resumable-upload';
import { type StoredArtifact } from '../uploads/upload';

/** Makes the artifact of parts that have all arrived, and reads it. */
@Injectable()
export class ArtifactAssembler {
  private readonly atWork = new Map<string, Promise<StoredArtifact>>();

  constructor(
    private readonly intake: ArtifactIntake,
    private readonly storage: StorageService,
  ) {}

  /**
   * Safe to repeat after a crash at any point. Several at once in this process share the work.
   * @throws AppError invalid_input when other parts have arrived, or the artifact is not what was announced or what it claims.
   */
  assemble(ctx: RequestContext, upload: OpenUpload): Promise<StoredArtifact> {
    const { id } = upload;
    const work = this.atWork.get(id) ?? this.work(ctx, upload).finally(() => this.atWork.delete(id));
    this.atWork.set(id, work);
    return work;
  }

  private async work(ctx: RequestContext, upload: OpenUpload): Promise<StoredArtifact> {
    const { id, fileName, draft, pending } = upload;
    const { blob, reservationId } = pending;
    const store = await this.storage.storeOf(ctx, blob.account);
    const { sizeBytes } = await store.parts.complete(blob.key, upload.storeUploadId ?? '', partsOf(upload));
    // Of what is stored, not of what was sent: parts may have gone to the store without passing here.
    const sha256 = await hashOf({ store, key: blob.key }, sizeBytes);
    assertHash(sha256, draft);
    const stored = { ...scopeOf(upload), id, blob, reservationId, store };
    const file = { fileName, sizeBytes, sha256 };
    return { ...file, upload: stored, inspected: await this.intake.inspect(stored, file) };
  }
}
