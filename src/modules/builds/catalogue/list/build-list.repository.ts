import { Injectable } from '@nestjs/common';
import { PLATFORMS } from '#kernel/builds/platform';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { decodeCursor, encodeCursor, type ListName, type Page, pageOf, type PageRequest } from '#kernel/cursor';
import { firstIdAt } from '#kernel/ids';
import {
  allOf,
  type BoundedSearch,
  type Condition,
  firstFound,
  searchPage,
  type Sql,
} from '#infra/database/bounded-search';
import { columnsOf, escapeLike, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { type Build } from '../build';
import { BuildEntity } from '../build.entity';
import { buildFromRow, checkedFromRow, type CheckedRow } from '../build-from-row';
import { IN_TRASH, isLiveIn, LIVE } from '../live-builds';
import { type BuildFilter, buildsList, computedCondition } from './build-filter';

/** The number of builds that a request with a computed condition reads with each statement. */
const SCAN_BATCH = 500;
/** The maximum number of builds that a request reads to find those that meet a condition without an index. */
const SCAN_MAX = 5_000;

/** The limit of each list of facets. */
const FACET_VALUES = 100;

/** An id has the time of its build's upload. Older ids were made up to some seconds earlier. */
const ID_PRECISION_MS = 60_000;

/** A value of a filter, and the number of builds that have it: of a platform at most `SCAN_MAX`, else of the newest `SCAN_MAX`. */
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

interface Scan {
  readonly filter: Conditions;
  readonly meets: NonNullable<ReturnType<typeof computedCondition>>;
  readonly before: string | null;
  readonly limit: number;
  readonly list: ListName;
}

/** The columns in which `q` is searched. */
const SEARCHED = ['version', 'build_number', 'notes', 'file_name', 'branch', 'commit'];

const FACETS = `
  WITH newest AS (
    SELECT id::text AS upload, version, branch FROM build WHERE organization_id = $1 AND project_id = $2 AND ${LIVE}
    ORDER BY id DESC LIMIT ${SCAN_MAX}
  ), counted AS (
    SELECT 'version' AS name, version AS value, count(*)::int AS count, max(upload) AS latest FROM newest GROUP BY version
    UNION ALL
    SELECT 'branch', branch, count(*)::int, max(upload) FROM newest WHERE branch IS NOT NULL GROUP BY branch
    UNION ALL
    SELECT 'platform', p.platform, found.count, found.latest FROM unnest($4::text[]) AS p (platform)
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS count, max(id::text) AS latest FROM (
        SELECT id FROM build b WHERE b.project_id = $2 AND b.platform BETWEEN p.platform AND p.platform AND ${isLiveIn('$2', 'b.id')}
        ORDER BY b.platform DESC, id DESC LIMIT ${SCAN_MAX}) AS newest
    ) AS found WHERE found.count > 0
  )
  SELECT name, value, count FROM (
    SELECT *, row_number() OVER (PARTITION BY name ORDER BY latest DESC, value) AS rank FROM counted
  ) ranked WHERE rank <= $3 ORDER BY rank`;

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
    const search = searchOf(scope, filter, before);
    const { items, nextCursor } = meets
      ? await this.scan({ ...ctx, isHeavy: true }, scope, { filter, meets, before, limit, list })
      : await searchPage(this.transactions, ctx, search, 'id', { limit, list });
    return { items: items.map(({ id }) => id), nextCursor };
  }

  /**
   * The newest build that meets the conditions on columns; null when none does.
   * @param filter.ids the builds to choose from. Of those that meet the conditions, the first is returned.
   */
  async findLatest(ctx: RequestContext, scope: ProjectScope, filter: Conditions): Promise<Build | null> {
    const { ids } = filter;
    const manager = this.transactions.manager(ctx);
    const columns = columnsOf(manager.getRepository(BuildEntity).metadata);
    const { text, values } = firstFound(searchOf(scope, filter, null), columns, ids?.length ?? 1);
    const now = ctx.clock.now();
    const found = (await rows<BuildEntity>(manager, text, values)).map((row) => buildFromRow(row, now));
    if (!ids) return found[0] ?? null;
    return ids.map((wanted) => found.find(({ id }) => id === wanted)).find((build) => build !== undefined) ?? null;
  }

  /**
   * The platforms of all builds, and the versions and branches of the newest builds; of each at most a hundred, the latest uploaded first.
   */
  async facets(ctx: RequestContext, { organizationId, projectId }: ProjectScope): Promise<BuildFacets> {
    const found = await rows<Facet & { readonly name: FacetName }>(this.transactions.manager(ctx), FACETS, [
      organizationId,
      projectId,
      FACET_VALUES,
      PLATFORMS,
    ]);
    const of = (wanted: FacetName): Facet[] =>
      found.flatMap(({ name, value, count }) => (name === wanted ? [{ value, count }] : []));
    return { platform: of('platform'), version: of('version'), branch: of('branch') };
  }

  /** One page of the builds that meet a computed condition. */
  private async scan(
    ctx: RequestContext,
    scope: ProjectScope,
    { filter, meets, limit, list, ...from }: Scan,
  ): Promise<Page<Pick<Build, 'id'>>> {
    const now = ctx.clock.now();
    const found: Candidate[] = [];
    let { before } = from;
    for (let scanned = 0; scanned < SCAN_MAX; scanned += SCAN_BATCH) {
      const { text, values } = candidates(scope, filter, before);
      const batch = await rows<Candidate>(this.transactions.manager(ctx), text, values);
      found.push(...batch.filter((row) => row.isFound && meets(checkedFromRow(row, now))));
      if (found.length > limit || batch.length < SCAN_BATCH) return pageOf(found, limit, list);
      before = batch.at(-1)?.id ?? null;
    }
    return { items: found, nextCursor: before && encodeCursor(before, list) };
  }
}

/** Columns with an index in which the builds of each value are in the order of the list. */
const ORDERED = ['version', 'branch', 'platform'] as const;

/**
 * The order that an index of one of the conditions has. PostgreSQL would otherwise read the newest builds of the project until enough of
 * them meet the condition, and those of an old version or branch are all old. It ignores a column of the order that must be equal to a
 * value, so the condition is a range.
 */
const orderedColumn = ({ ids, commit, sha256, ...filter }: Conditions): (typeof ORDERED)[number] | undefined =>
  ids || commit || sha256 ? undefined : ORDERED.find((column) => filter[column]);

/** The conditions that an index serves, so that few other builds are read, with the exact times. @param ordered the column whose index has the order. */
function indexed(
  { organizationId, projectId }: ProjectScope,
  filter: Conditions,
  { before, ordered }: { readonly before: string | null; readonly ordered: (typeof ORDERED)[number] | undefined },
): readonly Condition[] {
  const { from, to, ids, commit, sha256 } = filter;
  return [
    [filter.deleted ? IN_TRASH : LIVE],
    ['organization_id = ?', organizationId],
    ['project_id = ?', projectId],
    ['id < ?', before],
    ...ORDERED.map((column): Condition => [
      `${column} ${column === ordered ? 'BETWEEN ? AND ?' : '= ?'}`,
      filter[column] || null,
    ]),
    ['id >= ?', from && firstIdAt(new Date(from.getTime() - ID_PRECISION_MS))],
    ['id < ?', to && firstIdAt(new Date(to.getTime() + ID_PRECISION_MS))],
    ['uploaded_at >= ?', from],
    ['uploaded_at < ?', to],
    ['id = ANY (?::uuid[])', ids],
    ['commit LIKE ?', commit ? `${escapeLike(commit)}%` : null],
    ['sha256 = ?', sha256 ? Buffer.from(sha256, 'hex') : null],
  ];
}

/** The conditions that no index serves, and that few builds may meet. */
const searched = ({ q, uploadedBy }: Conditions): readonly Condition[] => [
  [`(${SEARCHED.map((column) => `${column} ILIKE ?`).join(' OR ')})`, q ? `%${escapeLike(q)}%` : null],
  ['uploaded_by_id = ?', uploadedBy],
];

/** The search for the builds that meet the conditions on columns. */
function searchOf(scope: ProjectScope, filter: Conditions, before: string | null): BoundedSearch {
  const ordered = orderedColumn(filter);
  const found = allOf(indexed(scope, filter, { before, ordered }));
  return {
    table: 'build',
    source: 'build',
    indexed: found,
    searched: allOf(searched(filter), found.values.length + 1),
    order: ordered ? `${ordered} DESC, id DESC` : 'id DESC',
    max: SCAN_MAX,
  };
}

/** A few columns instead of all, because reading a column of some thousand rows takes as long as evaluating a condition. */
const CHECKED = 'id, artifact, android_registration AS "androidRegistration", upload_warnings AS "uploadWarnings"';

/** A build that may meet a computed condition. */
interface Candidate extends CheckedRow {
  readonly id: string;
  /** Whether it meets the conditions on columns. */
  readonly isFound: boolean;
}

/** Selects the newest builds that meet the conditions with an index, and whether they meet the others. */
function candidates(scope: ProjectScope, filter: Conditions, before: string | null): Sql {
  const { indexed: read, searched: rest, order } = searchOf(scope, filter, before);
  const values = [...read.values, ...rest.values, SCAN_BATCH];
  const text = `SELECT ${CHECKED}, ${rest.text || 'true'} AS "isFound" FROM build WHERE ${read.text}
     ORDER BY ${order} LIMIT $${values.length}`;
  return { text, values };
}
