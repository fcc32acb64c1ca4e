import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { scopeOf } from '#kernel/context/scope';
import { ReceivedHasher } from '#infra/artifact-inspection/received-hashes';
import { hashOf } from '#infra/blob/copy-blob';
import { type NewArtifact, type NewAttachment, requireAnnouncedHash } from '#modules/builds';
import { StorageService } from '#modules/storage';
import { AttachmentReader } from '../attachments/attachment-reader';
import { type AttachmentTarget, type Upload } from '../lifecycle/upload';
import { UploadInspectionService } from '../upload-inspection.service';
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
    const { sizeBytes } = await store.parts.complete(blob.key, resumable.storeUploadId ?? '', partsOf(resumable));
    const upload: Upload = { ...scopeOf(resumable), id, blob, reservationId, store };
    const stored = { fileName, sizeBytes, blob };
    // Reads the stored blob: parts may have gone to the store without passing through this service.
    const hash = (observe: (chunk: Buffer) => void) => hashOf({ store, key: blob.key }, sizeBytes, observe);
    if (draft.attachment) {
      const reader = new AttachmentReader();
      const sha256 = await hash((chunk) => reader.add(chunk));
      const file = { ...stored, sha256, ...reader.result() };
      return { upload, artifact: null, attachment: { file, target: draft.attachment } };
    }
    const hasher = new ReceivedHasher(fileName);
    const sha256 = await hash((chunk) => hasher.add(chunk));
    requireAnnouncedHash(sha256, draft);
    const artifact = await this.inspection.inspect(upload, { ...stored, sha256 }, { hashes: hasher.result() });
    return { upload, artifact, attachment: null };
  }
}
