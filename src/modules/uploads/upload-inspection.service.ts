import { Injectable } from '@nestjs/common';
import { ArtifactInspector } from '#infra/artifact-inspection/artifact-inspector';
import { type ArtifactSource } from '#infra/artifact-inspection/artifact-source';
import { type ReceivedHashes } from '#infra/artifact-inspection/received-hashes';
import { type ArtifactFile, type NewArtifact } from '#modules/builds';
import { HOSTED } from '#modules/storage';
import { type Upload } from './lifecycle/upload';

/** Reads the metadata of a stored artifact in the contained worker (docs/decisions/0010-contained-inspection.md). */
@Injectable()
export class UploadInspectionService {
  constructor(private readonly inspector: ArtifactInspector) {}

  /**
   * Organizations share the workers fairly. An artifact in a customer's store is read alone, because that store may be slow.
   * @param options `hashes` were made while the file was received; `signal` ends waiting for a worker.
   * @throws AppError invalid_input with details.reason for an artifact that is damaged or hostile; rate_limit_exceeded when too many
   * artifacts of the organization wait, or no worker was free within a minute.
   */
  async inspect(
    { organizationId, store }: Pick<Upload, 'organizationId' | 'store'>,
    file: ArtifactFile,
    { signal, hashes }: { readonly signal?: AbortSignal; readonly hashes: ReceivedHashes },
  ): Promise<NewArtifact> {
    const { blob, fileName, sizeBytes } = file;
    const read: ArtifactSource['read'] = (...range) => store.readBlock(blob.key, ...range);
    const turn = { lane: organizationId, alone: blob.account !== HOSTED, signal };
    const { chunks, sha512 } = hashes;
    return { ...file, sha512, inspected: await this.inspector.inspect({ sizeBytes, read, chunks }, fileName, turn) };
  }
}
