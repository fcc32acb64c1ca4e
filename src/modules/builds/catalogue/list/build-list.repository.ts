import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { decodeCursor, encodeCursor, type ListName, type Page, pageOf, type PageRequest } from '#kernel/cursor';
import { columnsOf, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { type Build } from '../build';
import { BuildEntity } from '../build.entity';
import { buildFromRow } from '../build-from-row';
import { type BuildFilter, buildsList, computedCondition } from './build-filter';

/** The number of builds that a request with a computed condition reads with each statement. */
const SCAN_BATCH = 500;
/** The maximum number of builds that a request with a computed condition reads. */
const SCAN_MAX = 5_000;

/** The limit of each list of facets. */
const FACET_VALUES = 100;

/** A value of a filter, and the number of builds that have it. */
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

/** The builds before an id, or from the newest one on when it is null, and how many of them. */
interface BuildRange {
  readonly before: string | null;
  readonly count: number;
}

interface Scan {
  readonly filter: Conditions;
  readonly meets: (build: Build) => boolean;
  readonly before: string | null;
  readonly limit: number;
  readonly list: ListName;
}

/** The columns in which `q` is searched. */
const SEARCHED = ['version', 'build_number', 'notes', 'file_name', 'branch', 'commit'];

/** Lists the builds of a project. */
@Injectable()
export class BuildListRepository {
  constructor(private readonly transactions: Transactions) {}

  /** One page of ids, newest first. Continues after the cursor's id, so that late pages cost as little as the first. */
  async select(
    ctx: RequestContext,
    scope: ProjectScope,
    filter: Conditions,
    { limit, cursor }: PageRequest,
  ): Promise<Page<string>> {
    const list = buildsList(scope);
    const before = decodeCursor(cursor, list);
    const meets = computedCondition(filter);
    const { items, nextCursor } = meets
      ? await this.scan(ctx, scope, { filter, meets, before, limit, list })
      : pageOf(await this.readIds(ctx, scope, filter, { before, count: limit + 1 }), limit, list);
    return { items: items.map(({ id }) => id), nextCursor };
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

  /** One page of the builds that meet a computed condition. */
  private async scan(
    ctx: RequestContext,
    scope: ProjectScope,
    { filter, meets, limit, list, ...from }: Scan,
  ): Promise<Page<Build>> {
    const found: Build[] = [];
    let { before } = from;
    for (let scanned = 0; scanned < SCAN_MAX; scanned += SCAN_BATCH) {
      const batch = await this.read(ctx, scope, filter, { before, count: SCAN_BATCH });
      found.push(...batch.filter(meets));
      if (found.length > limit || batch.length < SCAN_BATCH) return pageOf(found, limit, list);
      before = batch.at(-1)?.id ?? null;
    }
    return { items: found, nextCursor: before && encodeCursor(before, list) };
  }

  private readIds(
    ctx: RequestContext,
    scope: ProjectScope,
    filter: Conditions,
    range: BuildRange,
  ): Promise<Pick<Build, 'id'>[]> {
    const { text, values } = selection('id', scope, filter, range);
    return rows(this.transactions.manager(ctx), text, values);
  }

  private async read(
    ctx: RequestContext,
    scope: ProjectScope,
    filter: Conditions,
    range: BuildRange,
  ): Promise<Build[]> {
    const manager = this.transactions.manager(ctx);
    const columns = columnsOf(manager.getRepository(BuildEntity).metadata);
    const { text, values } = selection(columns, scope, filter, range);
    const found = await rows<BuildEntity>(manager, text, values);
    const now = ctx.clock.now();
    return found.map((row) => buildFromRow(row, now));
  }
}

const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/** Selects the newest builds that meet the filter. The statement has only the conditions that the filter has. */
function selection(
  columns: string,
  { organizationId, projectId }: ProjectScope,
  filter: Conditions,
  { before, count }: BuildRange,
): { readonly text: string; readonly values: readonly unknown[] } {
  const { platform, version, q, branch, uploadedBy, from, to, ids, commit, sha256 } = filter;
  const all: readonly (readonly [condition: string, value: unknown])[] = [
    ['organization_id = ?', organizationId],
    ['project_id = ?', projectId],
    ['id < ?', before],
    ['platform = ?', platform],
    ['version = ?', version || null],
    [`(${SEARCHED.map((column) => `${column} ILIKE ?`).join(' OR ')})`, q ? `%${escapeLike(q)}%` : null],
    ['branch = ?', branch || null],
    ['uploaded_by_id = ?', uploadedBy],
    ['uploaded_at >= ?', from],
    ['uploaded_at < ?', to],
    ['id = ANY (?::uuid[])', ids],
    ['commit LIKE ?', commit ? `${escapeLike(commit)}%` : null],
    ['sha256 = ?', sha256 ? Buffer.from(sha256, 'hex') : null],
  ];
  const present = all.filter(([, value]) => value !== undefined && value !== null);
  const where = present.map(([condition], index) => condition.replaceAll('?', `$${index + 1}`)).join(' AND ');
  const values = [...present.map(([, value]) => value), count];
  return { text: `SELECT ${columns} FROM build WHERE ${where} ORDER BY id DESC LIMIT $${values.length}`, values };
}
