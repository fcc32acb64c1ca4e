import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ExpectedContent } from '#infra/blob/copy-blob';
import { rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';

const BATCH = 5_000;

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

interface BlobRow extends KnownBlob {
  readonly sha256: string | null;
  readonly sizeBytes: string | null;
}

/** The artifacts and attachments of the hosted account, for backups: blob key, size, SHA-256, and id of the build or attachment. */
export const HOSTED_ARTIFACTS = `SELECT blob_key, size_bytes, encode(sha256, 'hex'), id FROM (
    SELECT blob_key, size_bytes, sha256, id FROM build WHERE storage_account = 'hosted'
    UNION ALL
    SELECT blob_key, size_bytes, sha256, id FROM attachment WHERE storage_account = 'hosted'
  ) stored ORDER BY blob_key`;

/**
 * The blobs that the database refers to, in all organizations. Each query reads builds, attachments, uploads and relocations in one
 * statement: between two statements an upload could become a build, and its blob would look unknown.
 */
@Injectable()
export class KnownBlobsRepository {
  constructor(private readonly transactions: Transactions) {}

  /** The known blobs of an account in the order of their keys, read in batches. */
  async *of(ctx: RequestContext, account: string): AsyncGenerator<ExpectedBlob> {
    for (let last = '', more = true; more;) {
      const batch = await rows<BlobRow>(
        this.transactions.manager(ctx),
        `SELECT key, (max(build_id::text))::uuid AS "buildId", max(sha256) AS sha256, max(size_bytes) AS "sizeBytes" FROM (
           SELECT blob_key AS key, id AS build_id, encode(sha256, 'hex') AS sha256, size_bytes FROM build WHERE storage_account = $1 AND blob_key > $2
           UNION ALL
           SELECT blob_key, build_id, encode(sha256, 'hex'), size_bytes FROM attachment WHERE storage_account = $1 AND blob_key > $2
           UNION ALL
           SELECT blob_key, NULL, NULL, NULL FROM artifact_upload WHERE storage_account = $1 AND blob_key > $2
           UNION ALL
           SELECT from_key, NULL, NULL, NULL FROM build_move WHERE from_account = $1 AND from_key > $2
           UNION ALL
           SELECT to_key, NULL, NULL, NULL FROM build_move WHERE to_account = $1 AND to_key > $2
         ) AS row GROUP BY key ORDER BY key LIMIT $3`,
        [account, last, BATCH],
      );
      for (const { key, buildId, sha256, sizeBytes } of batch) {
        yield { key, buildId, content: sha256 === null ? null : { sha256, sizeBytes: Number(sizeBytes) } };
      }
      last = batch.at(-1)?.key ?? last;
      more = batch.length === BATCH;
    }
  }

  /** Returns the keys that are known in any account. Keys are unique, and two accounts may use one bucket. */
  async knownAnywhere(ctx: RequestContext, keys: readonly string[]): Promise<ReadonlySet<string>> {
    const known = new Set<string>();
    for (let first = 0; first < keys.length; first += BATCH) {
      const batch = await rows<Pick<KnownBlob, 'key'>>(
        this.transactions.manager(ctx),
        `SELECT blob_key AS key FROM build WHERE blob_key = ANY ($1)
         UNION SELECT blob_key FROM attachment WHERE blob_key = ANY ($1)
         UNION SELECT blob_key FROM artifact_upload WHERE blob_key = ANY ($1)
         UNION SELECT from_key FROM build_move WHERE from_key = ANY ($1)
         UNION SELECT to_key FROM build_move WHERE to_key = ANY ($1)`,
        [keys.slice(first, first + BATCH)],
      );
      for (const { key } of batch) known.add(key);
    }
    return known;
  }
}
