import { createHash } from 'node:crypto';

const MAX_VERIFIED = 10_000;
const VERIFIED_MS = 3_600_000;

/** Versions of blobs whose content was verified, with the time. In the order of that time. */
const verified = new Map<string, number>();

/** Compares the content of a blob that is being sent with the SHA-256 that it had when it was uploaded. */
export class ContentCheck {
  private readonly hash = createHash('sha256');
  private hasFailed = false;

  /**
   * @param sha256 lower-case hexadecimal.
   * @param version identifies the bytes that the store holds at this moment.
   */
  private constructor(
    private readonly sha256: string,
    private readonly version: string | undefined,
  ) {}

  /**
   * @param version a value that changes whenever the store's bytes change, such as the modification time of a file. A version that was
   * verified within the last hour is not hashed again. Absent: the bytes can change on their way, so each transfer is checked.
   * @returns `undefined` when no check is needed.
   */
  static of(sha256: string, version: string | undefined): ContentCheck | undefined {
    const verifiedAt = version === undefined ? undefined : verified.get(version);
    if (verifiedAt !== undefined && performance.now() - verifiedAt < VERIFIED_MS) return undefined;
    return new ContentCheck(sha256, version);
  }

  /** Whether the whole content was other than expected. */
  get failed(): boolean {
    return this.hasFailed;
  }

  /** Whether a chunk may be sent. False for the last chunk of a content that is other than expected. Call it with every chunk. */
  accepts(chunk: Buffer, isLast: boolean): boolean {
    this.hash.update(chunk);
    if (!isLast) return true;
    this.hasFailed = this.hash.digest('hex') !== this.sha256;
    if (!this.hasFailed && this.version !== undefined) remember(this.version);
    return !this.hasFailed;
  }
}

function remember(version: string): void {
  verified.delete(version);
  verified.set(version, performance.now());
  const [oldest] = verified.keys();
  if (verified.size > MAX_VERIFIED && oldest !== undefined) verified.delete(oldest);
}
