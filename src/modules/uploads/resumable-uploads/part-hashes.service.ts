import { Injectable } from '@nestjs/common';
import { type PartUploads, type SentPart } from '#infra/blob/blob-store';
import { FileHasher } from './file-hasher';
import { type OpenUpload, partsOf } from './resumable-upload';

/** An upload that is forgotten is read by its completion. The state of one is at most a few megabytes, and mostly a kilobyte. */
const MAX_UPLOADS = 256;

/**
 * Hashes the parts of uploads that have arrived, in order, while others are still being sent, so that a completion reads only the rest.
 * Parts are read back, because clients send several concurrently, and then almost none is the next one. Only stores that can read a
 * part before the completion take part: the local one.
 *
 * The state is in this process. It is a shortcut and never needed: without it, and after any failure, the completion reads all parts.
 */
@Injectable()
export class PartHashesService {
  private readonly runs = new Map<string, HashRun>();

  /** Call it when a part is stored. */
  arrived(upload: OpenUpload, { partNumber }: SentPart, parts: PartUploads): void {
    if (!parts.scanPart) return;
    const run = this.runs.get(upload.id) ?? new HashRun(upload, parts);
    this.runs.delete(upload.id);
    this.runs.set(upload.id, run);
    const [oldest] = this.runs.keys();
    if (this.runs.size > MAX_UPLOADS && oldest !== undefined) this.runs.delete(oldest);
    run.arrived(partNumber);
  }

  /**
   * Ends the run of an upload. Its result counts only if `complete` then says that the blob has the bytes that were scanned.
   * @returns null when there is none.
   */
  async take({ id }: OpenUpload): Promise<FileHasher | null> {
    const run = this.runs.get(id);
    this.runs.delete(id);
    return (await run?.end()) ?? null;
  }
}

/** The parts of one upload that were hashed, from the first one on. */
class HashRun {
  private readonly hasher: FileHasher;
  private readonly parts: readonly SentPart[];
  private readonly waiting = new Set<number>();
  private hashedParts = 0;
  private reading: Promise<void> | null = null;
  private hasEnded = false;
  private hasFailed = false;

  constructor(
    private readonly upload: OpenUpload,
    private readonly store: PartUploads,
  ) {
    this.hasher = new FileHasher(upload);
    this.parts = partsOf(upload);
  }

  arrived(partNumber: number): void {
    if (partNumber > this.hashedParts) this.waiting.add(partNumber);
    if (!this.reading && this.next()) this.reading = this.read();
  }

  /** @returns null when a part could not be read. */
  async end(): Promise<FileHasher | null> {
    this.hasEnded = true;
    await this.reading;
    return this.hasFailed ? null : this.hasher;
  }

  /** Never rejects: the completion reads the whole file and reports what fails. */
  private async read(): Promise<void> {
    for (let part = this.next(); part; part = this.next()) this.hasFailed = !(await this.hash(part));
    this.reading = null;
  }

  /** @returns whether the part was read completely. */
  private async hash(part: SentPart): Promise<boolean> {
    const end = this.hasher.sizeBytes + part.sizeBytes;
    try {
      await this.store.scanPart?.(this.upload.pending.blob.key, part, (chunk) => this.hasher.add(chunk));
    } catch {
      return false;
    }
    this.waiting.delete(part.partNumber);
    this.hashedParts += 1;
    return this.hasher.sizeBytes === end;
  }

  private next(): SentPart | undefined {
    const part = this.parts[this.hashedParts];
    return part && !this.hasEnded && !this.hasFailed && this.waiting.has(part.partNumber) ? part : undefined;
  }
}
