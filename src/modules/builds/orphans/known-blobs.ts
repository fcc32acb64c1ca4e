import { type RequestContext } from '#kernel/context/request-context';
import { type ExpectedContent } from '#infra/blob/copy-blob';
import { type StorageAccount } from '#modules/storage';

/** A blob that a row refers to. */
export interface KnownBlob {
  readonly key: string;
  /** Null when the row is an upload or a relocation, or an attachment without a build. */
  readonly buildId: string | null;
}

/** A blob with the content that its file had when it was uploaded. Null when the row is an upload or a relocation. */
export interface ExpectedBlob extends KnownBlob {
  readonly content: ExpectedContent | null;
}

/** The numbers of builds and attachments, and of pending uploads. */
export interface BlobCounts {
  readonly builds: number;
  readonly uploads: number;
}

/**
 * The blobs that the database refers to, in all organizations. A read model implements it: it reads builds, attachments, uploads and relocations in one
 * statement, because between two statements an upload could become a build, and its blob would look unknown.
 */
export abstract class KnownBlobs {
  /** The known blobs of an account in the order of their keys, read in batches. */
  abstract of(ctx: RequestContext, account: StorageAccount): AsyncGenerator<ExpectedBlob>;

  /** Returns the keys that are known in any account. Keys are unique, and two accounts may use one bucket. */
  abstract knownAnywhere(ctx: RequestContext, keys: readonly string[]): Promise<ReadonlySet<string>>;

  /** The builds, attachments and pending uploads of an organization that are not in the account. */
  abstract countElsewhere(ctx: RequestContext, organizationId: string, account: StorageAccount): Promise<BlobCounts>;

  /** Whether a build, an attachment, an upload or a relocation refers to a blob in the account. */
  abstract isUsed(ctx: RequestContext, account: StorageAccount): Promise<boolean>;
}
