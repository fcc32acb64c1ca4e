import { LRUCache } from 'lru-cache';
import { type RequestContext } from '#kernel/context/request-context';

/** A process caches at most 32 MB of fragments: some 7,000 builds in lists and some hundred install pages. */
export const BUILD_CACHE_BYTES = 20 * 1024 * 1024;
export const PAGE_CACHE_BYTES = 12 * 1024 * 1024;

/** V8 needs at most two bytes per character. */
const BYTES_PER_CHARACTER = 2;
/** `isRepeated` remembers at least this many of the latest keys, and at most twice as many. */
const KNOWN_KEYS = 4_000;
/** The approximate size of the objects around the text of a fragment. */
const OVERHEAD_BYTES = 500;

/** A part of a response that depends only on one version of stored rows, and on the time. */
export interface Fragment {
  /** The version of all rows that the fragment was made from, as the statement that read the rows returned it. */
  readonly version: string;
  /** The fragment is valid from this time on, in milliseconds since 1970. */
  readonly from: number;
  /** The fragment is valid before this time, in milliseconds since 1970. */
  readonly until: number;
  /** The text, in pieces between which a response inserts what differs from caller to caller. */
  readonly pieces: readonly string[];
}

/** The part of a cache that can be used before the rows of a response are read. */
export type KnownFragments = Pick<FragmentCache<Fragment>, 'has' | 'isRepeated'>;

/**
 * Caches fragments of responses in memory, the most recently used ones. A fragment is cached when it is made for the second time, so
 * that a client that reads a long list once does not displace what others request repeatedly. Each request reads the version of the rows
 * and gets the fragment only for that version, so that every change takes effect immediately (docs/decisions/0053-versioned-fragments.md).
 */
export class FragmentCache<F extends Fragment> {
  private readonly fragments: LRUCache<string, F>;
  /** The noted keys: the latest ones, and those before them. */
  private noted = new Set<string>();
  private notedBefore = new Set<string>();

  /** @param maxBytes the limit of all fragments together. */
  constructor(maxBytes: number) {
    this.fragments = new LRUCache<string, F>({ maxSize: maxBytes, sizeCalculation: bytesOf });
  }

  /** @returns the fragment of a key, if it was made from this version of the rows and is valid at the time of the context's clock. */
  get(ctx: RequestContext, key: string, version: string): F | undefined {
    const fragment = this.fragments.get(key);
    if (fragment?.version !== version) return undefined;
    const now = ctx.clock.now().getTime();
    return fragment.from <= now && now < fragment.until ? fragment : undefined;
  }

  /** Whether a fragment of a key is cached, of any version. */
  has(key: string): boolean {
    return this.fragments.has(key);
  }

  /**
   * Caches a fragment, in place of an older version, if one of this key was made before. Caches nothing in a transaction: the rows that a
   * transaction has read may never be committed.
   */
  set(ctx: RequestContext, key: string, fragment: F): void {
    if (!ctx.transaction && this.isRepeated(key)) this.fragments.set(key, fragment);
  }

  /** Deletes the fragments and the noted keys. */
  clear(): void {
    this.fragments.clear();
    this.noted.clear();
    this.notedBefore.clear();
  }

  /** Notes a key. @returns whether it was noted before, unless thousands of other keys were noted since. */
  isRepeated(key: string): boolean {
    if (this.noted.has(key) || this.notedBefore.has(key)) return true;
    if (this.noted.size >= KNOWN_KEYS) [this.notedBefore, this.noted] = [this.noted, new Set()];
    this.noted.add(key);
    return false;
  }
}

const bytesOf = ({ version, pieces }: Fragment): number =>
  pieces.reduce((sum, { length }) => sum + length, version.length) * BYTES_PER_CHARACTER + OVERHEAD_BYTES;
