import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { one, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { type BlobCounts, type ExpectedBlob, KnownBlobs } from '#modules/builds';
import { HOSTED, type HostedArtifacts, type StorageAccount } from '#modules/storage';

const BATCH = 5_000;

interface BlobRow extends Pick<ExpectedBlob, 'key' | 'buildId'> {
  readonly sha256: string | null;
  readonly sizeBytes: string | null;
}

/** The references of builds, attachments, uploads and relocations to blobs. */
@Injectable()
export class KnownBlobsRepository extends KnownBlobs implements HostedArtifacts {
  constructor(private readonly transactions: Transactions) {
    super();
  }

  async *of(ctx: RequestContext, account: StorageAccount): AsyncGenerator<ExpectedBlob> {
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

  async knownAnywhere(ctx: RequestContext, keys: readonly string[]): Promise<ReadonlySet<string>> {
    const known = new Set<string>();
    for (let first = 0; first < keys.length; first += BATCH) {
      const batch = await rows<Pick<BlobRow, 'key'>>(
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

  async countElsewhere(ctx: RequestContext, organizationId: string, account: StorageAccount): Promise<BlobCounts> {
    const row = await one<BlobCounts>(
      this.transactions.manager(ctx),
      `SELECT ((SELECT count(*) FROM build WHERE organization_id = $1 AND storage_account <> $2)
               + (SELECT count(*) FROM attachment WHERE organization_id = $1 AND storage_account <> $2))::int AS builds,
              (SELECT count(*)::int FROM artifact_upload
               WHERE organization_id = $1 AND storage_account <> $2 AND state = 'pending') AS uploads`,
      [organizationId, account],
    );
    return row ?? { builds: 0, uploads: 0 };
  }

  async isUsed(ctx: RequestContext, account: StorageAccount): Promise<boolean> {
    const row = await one<{ used: boolean }>(
      this.transactions.manager(ctx),
      `SELECT EXISTS (SELECT FROM build WHERE storage_account = $1)
           OR EXISTS (SELECT FROM attachment WHERE storage_account = $1)
           OR EXISTS (SELECT FROM artifact_upload WHERE storage_account = $1)
           OR EXISTS (SELECT FROM build_move WHERE $1 IN (from_account, to_account)) AS used`,
      [account],
    );
    return row?.used ?? true;
  }

  async exist(ctx: RequestContext): Promise<boolean> {
    const statement = `SELECT 1 WHERE EXISTS (SELECT FROM build WHERE storage_account = '${HOSTED}')
         OR EXISTS (SELECT FROM attachment WHERE storage_account = '${HOSTED}')`;
    return (await one(this.transactions.manager(ctx), statement)) !== null;
  }
}
