import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { scopeOf } from '#kernel/context/scope';
import { type NewArtifact, requireAnnouncedHash } from '#modules/builds';
import { StorageService } from '#modules/storage';
import { ReceivedHasher } from '#infra/artifact-inspection/received-hashes';
import { hashOf } from '#infra/blob/copy-blob';
import { type Upload } from '../lifecycle/upload';
import { UploadInspectionService } from '../upload-inspection.service';
import { type OpenUpload, partsOf } from './resumable-upload';

export interface AssembledArtifact {
  readonly upload: Upload;
  readonly artifact: NewArtifact;
}

/** Makes one blob of the parts of an upload, hashes and inspects it. */
@Injectable()
export class ArtifactAssemblyService {
  private readonly running = new Map<string, Promise<AssembledArtifact>>();

  constructor(
    private readonly inspection: UploadInspectionService,
    private readonly storage: StorageService,
  ) {}

  /**
   * Can be repeated after a crash at any point. Concurrent calls for an upload in this process share one run.
   * @throws AppError invalid_input when the store has other parts, or when the hash or the inspection rejects the artifact;
   * rate_limit_exceeded when the inspection has no room.
   */
  assemble(ctx: RequestContext, upload: OpenUpload): Promise<AssembledArtifact> {
    const { id } = upload;
    const run = this.running.get(id) ?? this.run(ctx, upload).finally(() => this.running.delete(id));
    this.running.set(id, run);
    return run;
  }

  private async run(ctx: RequestContext, resumable: OpenUpload): Promise<AssembledArtifact> {
    const { id, fileName, draft, pending } = resumable;
    const { blob, reservationId } = pending;
    const store = await this.storage.storeOf(ctx, blob.account);
    const { sizeBytes } = await store.parts.complete(blob.key, resumable.storeUploadId ?? '', partsOf(resumable));
    // Reads the stored blob: parts may have gone to the store without passing through this service.
    const hasher = new ReceivedHasher(fileName);
    const sha256 = await hashOf({ store, key: blob.key }, sizeBytes, (chunk) => hasher.add(chunk));
    requireAnnouncedHash(sha256, draft);
    const upload: Upload = { ...scopeOf(resumable), id, blob, reservationId, store };
    const file = { fileName, sizeBytes, sha256, blob };
    return { upload, artifact: await this.inspection.inspect(upload, file, { hashes: hasher.result() }) };
  }
}
