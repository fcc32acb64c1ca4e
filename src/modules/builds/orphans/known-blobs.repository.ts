import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { Transactions } from '#infra/database/transactions';

const BATCH = 5_000;

/** A row that speaks of a blob. */
export interface BlobRow {
  readonly key: string;
  /** Null while it is an upload on its way or being given up, or a copy of a build that moves. */
  readonly buildId: string | null;
}

/** What a backup copies: the artifacts of the hosted account, each with its size, SHA-256 and build. */
export const HOSTED_ARTIFACTS = `SELECT blob_key, size_bytes, encode(sha256, 'hex'), id FROM build
  WHERE storage_account = 'hosted' ORDER BY blob_key`;

/** Which blobs the database knows, of all organizations: for the operator. */
@Injectable()
export class BlobRowsRepository {
  constructor(private readonly transactions: Transactions) {}

  /** Those of an account, by key, a few thousand at a time. */
  async *of(ctx: RequestContext, account: string): AsyncGenerator<BlobRow> {
    for (let last = '', more = true; more;) {
      const rows: BlobRow[] = await this.transactions.manager(ctx).query(
        `SELECT key, (max(build_id::text))::uuid AS "buildId" FROM (
           SELECT blob_key AS key, id AS build_id FROM build WHERE storage_account = $1 AND blob_key > $2
           UNION ALL
           SELECT blob_key, NULL FROM artifact_upload WHERE storage_account = $1 AND blob_key > $2
           UNION ALL
           SELECT from_key, NULL FROM build_move WHERE from_account = $1 AND from_key > $2
           UNION ALL
           SELECT to_key, NULL FROM build_move WHERE to_account = $1 AND to_key > $2
         ) AS row GROUP BY key ORDER BY key LIMIT $3`,
        [account, last, BATCH],
      );
      yield* rows;
      last = rows.at(-1)?.key ?? last;
      more = rows.length === BATCH;
    }
  }

  /** Which of these keys are known to any account: keys are unique, and two accounts may be one bucket. */
  async knownAnywhere(ctx: RequestContext, keys: readonly string[]): Promise<ReadonlySet<string>> {
    const known = new Set<string>();
    for (let first = 0; first < keys.length; first += BATCH) {
      const rows: Pick<BlobRow, 'key'>[] = await this.transactions.manager(ctx).query(
        `SELECT blob_key AS key FROM build WHERE blob_key = ANY ($1)
         UNION SELECT blob_key FROM artifact_upload WHERE blob_key = ANY ($1)
         UNION SELECT from_key FROM build_move WHERE from_key = ANY ($1)
         UNION SELECT to_key FROM build_move WHERE to_key = ANY ($1)`,
        [keys.slice(first, first + BATCH)],
      );
      for (const { key } of rows) known.add(key);
    }
    return known;
  }
}
