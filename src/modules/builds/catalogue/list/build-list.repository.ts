import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { decodeCursor, encodeCursor, type ListName, type Page, pageOf, type PageRequest } from '#kernel/cursor';
import { columnsOf, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { type Build } from '../build';
import { BuildEntity } from '../build.entity';
import { buildFromRow } from '../build-from-row';
import { type BuildFilter, computedCondition } from './build-filter';

/** How many builds a request with a computed condition reads per statement, and at most. */
const SCAN_BATCH = 500;
const SCAN_MAX = 5_000;

/** The limit of each list of facets. */
const FACET_VALUES = 100;

/** A value of a filter, and how many builds have it. */
export interface Facet {
  readonly value: string;
  readonly count: number;
}

type FacetName = 'platform' | 'version' | 'branch';

export type BuildFacets = Readonly<Record<FacetName, readonly Facet[]>>;

interface Conditions extends BuildFilter {
  /** Only these builds; null for all. */
  readonly ids: readonly string[] | null;
}

/** Lists the builds of a project. */
@Injectable()
export class BuildListRepository {
  constructor(private readonly transactions: Transactions) {}

  /** One page, newest first. Continues after the cursor's id, so that late pages cost as little as the first. */
  async list(
    ctx: RequestContext,
    scope: ProjectScope,
    filter: Conditions,
    { limit, cursor }: PageRequest,
  ): Promise<Page<Build>> {
    const list: ListName = `builds|${scope.projectId}`;
    const meets = computedCondition(filter);
    const builds = (before: string | null, count: number) => this.read(ctx, scope, filter, { before, count });
    let before = decodeCursor(cursor, list);
    if (!meets) return pageOf(await builds(before, limit + 1), limit, list);
    const found: Build[] = [];
    for (let scanned = 0; scanned < SCAN_MAX; scanned += SCAN_BATCH) {
      const batch = await builds(before, SCAN_BATCH);
      found.push(...batch.filter(meets));
      if (found.length > limit || batch.length < SCAN_BATCH) return pageOf(found, limit, list);
      before = batch.at(-1)?.id ?? null;
    }
    return { items: found, nextCursor: before && encodeCursor(before, list) };
  }

  /**
   * The newest build that meets the conditions on columns; null when none does.
   * @param filter.ids the builds to choose from. Of those that meet the conditions, the first is returned.
   */
  async findLatest(ctx: RequestContext, scope: ProjectScope, filter: Conditions): Promise<Build | null> {
    const { ids } = filter;
    const found = await this.read(ctx, scope, filter, { before: null, count: ids?.length ?? 1 });
    if (!ids) return found[0] ?? null;
    return ids.map((wanted) => found.find(({ id }) => id === wanted)).find((build) => build !== undefined) ?? null;
  }

  /** The platforms, versions and branches of the builds; of each at most a hundred, the latest uploaded first. */
  async facets(ctx: RequestContext, { organizationId, projectId }: ProjectScope): Promise<BuildFacets> {
    const found = await rows<Facet & { readonly name: FacetName }>(
      this.transactions.manager(ctx),
      `SELECT name, value, count FROM (
         SELECT *, row_number() OVER (PARTITION BY name ORDER BY latest DESC, value) AS rank FROM (
           SELECT CASE 0 WHEN GROUPING(platform) THEN 'platform' WHEN GROUPING(version) THEN 'version' ELSE 'branch' END AS name,
                  coalesce(platform, version, branch) AS value, count(*)::int AS count, max(uploaded_at) AS latest
           FROM build WHERE organization_id = $1 AND project_id = $2
           GROUP BY GROUPING SETS ((platform), (version), (branch))
         ) grouped WHERE value IS NOT NULL
       ) ranked WHERE rank <= $3 ORDER BY rank`,
      [organizationId, projectId, FACET_VALUES],
    );
    const of = (wanted: FacetName): Facet[] =>
      found.flatMap(({ name, value, count }) => (name === wanted ? [{ value, count }] : []));
    return { platform: of('platform'), version: of('version'), branch: of('branch') };
  }

  private async read(
    ctx: RequestContext,
    scope: ProjectScope,
    filter: Conditions,
    { before, count }: { readonly before: string | null; readonly count: number },
  ): Promise<Build[]> {
    const manager = this.transactions.manager(ctx);
    const found = await rows<BuildEntity>(
      manager,
      `SELECT ${columnsOf(manager.getRepository(BuildEntity).metadata)} FROM build
       WHERE organization_id = $1 AND project_id = $2
         AND ($3::uuid IS NULL OR id < $3)
         AND ($4::text IS NULL OR platform = $4)
         AND ($5::text IS NULL OR version = $5)
         AND ($6::text IS NULL OR version ILIKE $6 OR build_number ILIKE $6 OR notes ILIKE $6
              OR file_name ILIKE $6 OR branch ILIKE $6 OR commit ILIKE $6)
         AND ($8::text IS NULL OR branch = $8)
         AND ($9::uuid IS NULL OR uploaded_by_id = $9)
         AND ($10::timestamptz IS NULL OR uploaded_at >= $10)
         AND ($11::timestamptz IS NULL OR uploaded_at < $11)
         AND ($12::uuid[] IS NULL OR id = ANY ($12))
         AND ($13::text IS NULL OR commit LIKE $13)
         AND ($14::bytea IS NULL OR sha256 = $14)
       ORDER BY id DESC LIMIT $7`,
      [scope.organizationId, scope.projectId, before, ...conditionsOf(filter, count)],
    );
    const now = ctx.clock.now();
    return found.map((row) => buildFromRow(row, now));
  }
}

const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/** The parameters $4 to $14. */
const conditionsOf = (filter: Conditions, count: number): unknown[] => [
  filter.platform ?? null,
  filter.version || null,
  filter.q ? `%${escapeLike(filter.q)}%` : null,
  count,
  filter.branch || null,
  filter.uploadedBy ?? null,
  filter.from ?? null,
  filter.to ?? null,
  filter.ids,
  filter.commit ? `${escapeLike(filter.commit)}%` : null,
  filter.sha256 ? Buffer.from(filter.sha256, 'hex') : null,
];
