import { createHash } from 'node:crypto';
import { type ArtifactSource } from '../../artifact-source';
import { LIMITS } from '../../limits/limits';
import { type WorkClock } from '../../limits/work-clock';
import { CHUNK_BYTES, chunkDigest, type ContentChunks } from '../../received-hashes';
import { type DigestName } from './signature-algorithms';
import { VerityTree } from './verity-tree';

const DIRECTORY_OFFSET_AT = 16;

/** The positions of the parts of a signed package. The signing block itself is not covered by the digest. */
export interface SignedLayout {
  /** The end of the files' contents and the start of the signing block. */
  readonly blockOffset: number;
  readonly directoryOffset: number;
  /** The start of the end of central directory record. */
  readonly endOffset: number;
}

interface Section {
  readonly from: number;
  readonly to: number;
}

type ChunkedName = Exclude<DigestName, 'verity'>;

/**
 * The digests of a package's contents as the schemes v2 and newer compute them: contents of the files, central directory and end record are
 * hashed in chunks of 1 MiB, then the digests of the chunks; or all of them together are hashed in a tree of fs-verity.
 */
export class ContentDigests {
  private readonly computed = new Map<DigestName, Promise<Buffer | null>>();

  constructor(
    private readonly content: { readonly reader: ArtifactSource; readonly chunks: ContentChunks | null },
    private readonly layout: SignedLayout,
    private readonly clock: WorkClock,
  ) {}

  /** The digest by a hash function. `null` when computing it takes too much work. */
  of(name: DigestName): Promise<Buffer | null> {
    const known = this.computed.get(name);
    if (known) return known;
    const digest = this.compute(name);
    this.computed.set(name, digest);
    return digest;
  }

  private async compute(name: DigestName): Promise<Buffer | null> {
    const { blockOffset, directoryOffset } = this.layout;
    const { chunks, reader } = this.content;
    const known = name === 'sha256' ? chunks : null;
    const readBytes = (known ? blockOffset % CHUNK_BYTES : blockOffset) + reader.sizeBytes - directoryOffset;
    if (readBytes > LIMITS.verifiedBytes) return null;
    return name === 'verity' ? this.verityDigest() : this.chunkedDigest(name, known);
  }

  /** The sections of the file before its end record. */
  private get sections(): readonly [contents: Section, directory: Section] {
    const { blockOffset, directoryOffset, endOffset } = this.layout;
    return [
      { from: 0, to: blockOffset },
      { from: directoryOffset, to: endOffset },
    ];
  }

  private async chunkedDigest(name: ChunkedName, known: ContentChunks | null): Promise<Buffer | null> {
    const [contents, directory] = this.sections;
    const digests: Buffer[] = [];
    const isDone =
      (await this.addSection(name, digests, contents, known)) &&
      (await this.addSection(name, digests, directory, null));
    if (!isDone) return null;
    digests.push(chunkDigest(name, await this.endRecord()));
    const head = Buffer.alloc(5, 0x5a);
    head.writeUInt32LE(digests.length, 1);
    return createHash(name).update(head).update(Buffer.concat(digests)).digest();
  }

  private async verityDigest(): Promise<Buffer | null> {
    const tree = new VerityTree();
    for (const { from, to } of this.sections) {
      for (let at = from; at < to; at += CHUNK_BYTES) {
        if (this.clock.isOver) return null;
        const bytes = await this.content.reader.read(at, Math.min(CHUNK_BYTES, to - at));
        this.clock.measure(() => tree.add(bytes));
      }
    }
    tree.add(await this.endRecord());
    return this.clock.measure(() => tree.digest());
  }

  /** @returns false when the time is used up. */
  private async addSection(
    name: ChunkedName,
    digests: Buffer[],
    { from, to }: Section,
    known: ContentChunks | null,
  ): Promise<boolean> {
    for (let at = from; at < to; at += CHUNK_BYTES) {
      const length = Math.min(CHUNK_BYTES, to - at);
      const digest = length === CHUNK_BYTES ? known?.digestAt(at) : null;
      if (!digest && this.clock.isOver) return false;
      digests.push(digest ?? (await this.hashAt(name, at, length)));
    }
    return true;
  }

  private async hashAt(name: ChunkedName, at: number, length: number): Promise<Buffer> {
    const bytes = await this.content.reader.read(at, length);
    return this.clock.measure(() => chunkDigest(name, bytes));
  }

  /** Signers compute the digest before they insert the block, when the central directory is where the block is now. */
  private async endRecord(): Promise<Buffer> {
    const { blockOffset, endOffset } = this.layout;
    const { reader } = this.content;
    const end = Buffer.from(await reader.read(endOffset, reader.sizeBytes - endOffset));
    end.writeUInt32LE(blockOffset, DIRECTORY_OFFSET_AT);
    return end;
  }
}
