import { ReceivedHasher, type ReceivedHashes } from '#infra/artifact-inspection/received-hashes';
import { Digest } from '#infra/blob/streams/digest';
import { type NewAttachment } from '#modules/builds';
import { AttachmentReader } from '../attachments/attachment-reader';
import { type OpenUpload } from './resumable-upload';

/** The hashes of a file. */
interface HashedFile {
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  /** None for an attachment. */
  readonly received: ReceivedHashes;
  /** Null for an artifact. */
  readonly attachment: Pick<NewAttachment, 'sha512' | 'head'> | null;
}

/** Makes all hashes that the file of an upload needs. Its bytes come in order. */
export class FileHasher {
  private readonly digest = new Digest();
  private readonly hasher: ReceivedHasher | null;
  private readonly reader: AttachmentReader | null;

  constructor({ fileName, draft }: Pick<OpenUpload, 'fileName' | 'draft'>) {
    this.hasher = draft.attachment ? null : new ReceivedHasher(fileName);
    this.reader = draft.attachment ? new AttachmentReader() : null;
  }

  /** The number of bytes so far. */
  get sizeBytes(): number {
    return this.digest.sizeBytes;
  }

  add(chunk: Buffer): void {
    this.digest.add(chunk);
    this.hasher?.add(chunk);
    this.reader?.add(chunk);
  }

  /** Call it once, after the last chunk. */
  result(): HashedFile {
    return {
      sha256: this.digest.result().sha256,
      received: this.hasher?.result() ?? { sha512: null },
      attachment: this.reader?.result() ?? null,
    };
  }
}
