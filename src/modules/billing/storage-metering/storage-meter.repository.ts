import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { newId } from '#kernel/ids';
import { Transactions } from '#infra/database/transactions';

/** A build whose bytes are kept. */
export interface StoredBuild {
  readonly organizationId: string;
  readonly buildId: string;
  readonly sizeBytes: number;
}

/** Milliseconds are whole, so that sums of bytes times milliseconds are exact. */
const NOW = `date_trunc('milliseconds', app_now())`;

const BYTE_MS = `i.size_bytes * (1000 * (extract(epoch FROM least(coalesce(i.ended_at, s.until), s.until))
  - extract(epoch FROM greatest(i.started_at, s.since))))`;

@Injectable()
export class StorageMeterRepository {
  constructor(private readonly transactions: Transactions) {}

  async addBuild(ctx: RequestContext, { organizationId, buildId, sizeBytes }: StoredBuild): Promise<void> {
    await this.transactions
      .manager(ctx)
      .query(`INSERT INTO stored_build (build_id, organization_id, size_bytes) VALUES ($1, $2, $3)`, [
        buildId,
        organizationId,
        sizeBytes,
      ]);
  }

  async removeBuild(ctx: RequestContext, organizationId: string, buildId: string): Promise<void> {
    await this.transactions
      .manager(ctx)
      .query(`DELETE FROM stored_build WHERE build_id = $1 AND organization_id = $2`, [buildId, organizationId]);
  }

  /** Opens the interval of a build, if its organization's meters run; or of every build, when they begin to. */
  async open(ctx: RequestContext, organizationId: string, buildId: string | null): Promise<void> {
    const manager = this.transactions.manager(ctx);
    const builds: { build_id: string }[] = await manager.query(
      `SELECT b.build_id FROM stored_build b JOIN billing_account a USING (organization_id)
       WHERE organization_id = $1 AND ($2::uuid IS NULL OR build_id = $2) AND a.metered`,
      [organizationId, buildId],
    );
    await manager.query(
      `INSERT INTO storage_interval (id, organization_id, build_id, size_bytes, started_at)
       SELECT n.id, b.organization_id, b.build_id, b.size_bytes, ${NOW}
       FROM unnest($1::uuid[], $2::uuid[]) AS n (id, build_id) JOIN stored_build b USING (build_id)`,
      [builds.map(() => newId()), builds.map(({ build_id }) => build_id)],
    );
  }

  /** Closes the interval of a build; of every build of the organization, when its meters stop. */
  async close(ctx: RequestContext, organizationId: string, buildId: string | null): Promise<void> {
    await this.transactions.manager(ctx).query(
      `UPDATE storage_interval SET ended_at = greatest(${NOW}, started_at)
       WHERE organization_id = $1 AND ended_at IS NULL AND ($2::uuid IS NULL OR build_id = $2)`,
      [organizationId, buildId],
    );
  }

  /** Organizations of which something has been kept since. */
  async findOrganizationsSince(ctx: RequestContext, since: Date): Promise<readonly string[]> {
    const rows: { organization_id: string }[] = await this.transactions
      .manager(ctx)
      .query(
        `SELECT DISTINCT organization_id FROM storage_interval WHERE ended_at IS NULL OR ended_at > $1 ORDER BY 1`,
        [since],
      );
    return rows.map(({ organization_id }) => organization_id);
  }

  /**
   * The integral of what is kept over each of the spans between one instant and the next: bytes times milliseconds, exact.
   * @param instants one more than there are spans.
   */
  async byteMs(ctx: RequestContext, organizationId: string, instants: readonly Date[]): Promise<readonly bigint[]> {
    const rows: { byte_ms: string }[] = await this.transactions.manager(ctx).query(
      `SELECT trunc(coalesce(sum(${BYTE_MS}), 0)) AS byte_ms
       FROM unnest($2::timestamptz[], $3::timestamptz[]) WITH ORDINALITY AS s (since, until, n)
       LEFT JOIN storage_interval i ON i.organization_id = $1 AND i.started_at < s.until
         AND coalesce(i.ended_at, s.until) > s.since
       GROUP BY s.n ORDER BY s.n`,
      [organizationId, instants.slice(0, -1), instants.slice(1)],
    );
    return rows.map(({ byte_ms }) => BigInt(byte_ms));
  }
}
