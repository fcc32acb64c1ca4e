import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { scopeOf } from '#kernel/context/scope';
import { scanBlob } from '#infra/blob/copy-blob';
import { type NewArtifact, type NewAttachment, requireAnnouncedHash } from '#modules/builds';
import { StorageService } from '#modules/storage';
import { type AttachmentTarget, type Upload } from '../lifecycle/upload';
import { UploadInspectionService } from '../upload-inspection.service';
import { FileHasher } from './file-hasher';
import { PartHashesService } from './part-hashes.service';
import { type OpenUpload, partsOf } from './resumable-upload';

/** The file of an upload: the artifact of a new build, or an attachment. */
export type AssembledFile = { readonly upload: Upload } & (
  | { readonly artifact: NewArtifact; readonly attachment: null }
  | {
      readonly artifact: null;
      readonly attachment: { readonly file: NewAttachment; readonly target: AttachmentTarget };
    }
);

/** Makes one blob of the parts of an upload, hashes it, and inspects it if it is an artifact. */
@Injectable()
export class ArtifactAssemblyService {
  private readonly running = new Map<string, Promise<AssembledFile>>();

  constructor(
    private readonly inspection: UploadInspectionService,
    private readonly storage: StorageService,
    private readonly partHashes: PartHashesService,
  ) {}

  /**
   * Can be repeated after a crash at any point. Concurrent calls for an upload in this process share one run.
   * @throws AppError invalid_input when the store has other parts, or when the hash or the inspection rejects the artifact;
   * rate_limit_exceeded when the inspection has no room.
   */
  assemble(ctx: RequestContext, upload: OpenUpload): Promise<AssembledFile> {
    const { id } = upload;
    const run = this.running.get(id) ?? this.run(ctx, upload).finally(() => this.running.delete(id));
    this.running.set(id, run);
    return run;
  }

  private async run(ctx: RequestContext, resumable: OpenUpload): Promise<AssembledFile> {
    const { id, fileName, draft, pending } = resumable;
    const { blob, reservationId } = pending;
    const store = await this.storage.storeOf(ctx, blob.account);
    const early = await this.partHashes.take(resumable);
    const assembled = await store.parts.complete(blob.key, resumable.storeUploadId ?? '', partsOf(resumable));
    const { sizeBytes, isAsScanned } = assembled;
    const hasher = early && isAsScanned ? early : new FileHasher(resumable);
    // Reads the stored blob: parts may have gone to the store without passing through this service.
    const rest = { start: hasher.sizeBytes, maxBytes: sizeBytes - hasher.sizeBytes };
    await scanBlob({ store, key: blob.key }, rest, (chunk) => hasher.add(chunk));
    const { sha256, received, attachment } = hasher.result();
    const upload: Upload = { ...scopeOf(resumable), id, blob, reservationId, store };
    const file = { fileName, sizeBytes, blob, sha256 };
    if (draft.attachment && attachment) {
      return { upload, artifact: null, attachment: { file: { ...file, ...attachment }, target: draft.attachment } };
    }
    requireAnnouncedHash(sha256, draft);
    return { upload, artifact: await this.inspection.inspect(upload, file, { hashes: received }), attachment: null };
  }
}
