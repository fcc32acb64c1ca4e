import { Injectable } from '@nestjs/common';
import { type ArtifactFile, type NewArtifact } from '#modules/builds';
import { HOSTED } from '#modules/storage';
import { ArtifactInspector } from '#infra/artifact-inspection/artifact-inspector';
import { type ArtifactSource } from '#infra/artifact-inspection/artifact-source';
import { type BlobStore } from '#infra/blob/blob-store';

/** Reads the metadata of a stored artifact in the contained worker (docs/decisions/0010-contained-inspection.md). */
@Injectable()
export class UploadInspectionService {
  constructor(private readonly inspector: ArtifactInspector) {}

  /** @throws AppError invalid_input with details.reason for an artifact that is damaged or hostile. */
  async inspect(store: BlobStore, file: ArtifactFile): Promise<NewArtifact> {
    const { blob, fileName, sizeBytes } = file;
    const read: ArtifactSource['read'] = (...range) => store.readBlock(blob.key, ...range);
    // A customer's store may be slow, so its artifacts are read one at a time.
    const lane = blob.account === HOSTED ? undefined : blob.account;
    return { ...file, inspected: await this.inspector.inspect({ sizeBytes, read }, fileName, lane) };
  }
}
