import {
  type DeletionFilter,
  DOWNLOADED_DAYS,
  isLive,
  type RetentionGroup,
  type RetentionRule,
  YOUNG_HOURS,
} from '#modules/builds';

/** The values of a statement. The first two are the organization and the project, the third of rules is the present time. */
export class Values {
  readonly all: unknown[];

  constructor(organizationId: string, projectId: string) {
    this.all = [organizationId, projectId];
  }

  /** @returns SQL of the value. */
  add(value: unknown, type: string): string {
    this.all.push(value);
    return `$${this.all.length}::${type}`;
  }
}

const OF_PROJECT = `b.organization_id = $1 AND b.project_id = $2 AND ${isLive('b')}`;
const COLUMNS = 'b.id, b.platform, b.branch, b.uploaded_at, b.pinned';

/** SQL of whether a build is the current release of a channel. */
const IS_CURRENT = `EXISTS (
  SELECT FROM release r JOIN current_release c ON c.release_id = r.id WHERE r.build_id = s.id)`;

const WAS_DOWNLOADED = `EXISTS (
  SELECT FROM build_download d WHERE d.build_id = s.id AND d.started_at > $3::timestamptz - interval '${DOWNLOADED_DAYS} days')`;

/** Each build has a default link. A further one was made by hand, and protects the build until it expires. */
const HAS_FURTHER_LINK = `EXISTS (
  SELECT FROM invite i LEFT JOIN link_rule r ON r.invite_id = i.id
  WHERE i.build_id = s.id AND i.tester_id IS NULL AND NOT i.is_default AND (r.expires_at IS NULL OR r.expires_at > $3::timestamptz))`;

const IS_NEWEST = `s.id IN (
  SELECT (SELECT b.id FROM build b WHERE b.project_id = $2 AND b.platform BETWEEN p.platform AND p.platform AND ${isLive('b')}
          ORDER BY b.platform DESC, b.id DESC LIMIT 1)
  FROM (SELECT DISTINCT platform FROM selected) p)`;

const IS_YOUNG = `s.uploaded_at > $3::timestamptz - interval '${YOUNG_HOURS} hours'`;

/** The condition of a protected build `s` of the selection. */
const PROTECTED_FROM_FILTERS = `(s.pinned OR ${IS_CURRENT})`;
const PROTECTED_FROM_RULES = `(s.pinned OR ${IS_YOUNG} OR ${IS_NEWEST} OR ${IS_CURRENT} OR ${WAS_DOWNLOADED} OR ${HAS_FURTHER_LINK})`;

/** SQL of the tables `selected`, of builds and whether they are protected, and `deletable`, of those that are not. */
const tables = (selected: string, isProtected: string): string => `
  selected AS MATERIALIZED (${selected}),
  judged AS MATERIALIZED (SELECT s.id, ${isProtected} AS kept FROM selected s),
  deletable AS (SELECT id FROM judged WHERE NOT kept)`;

/** @param branches those that match the branch of the filter; null when it has none. */
export function selectByFilter(
  { platform, version, uploadedBy, from, to }: DeletionFilter,
  { branches, newestId }: { readonly branches: readonly string[] | null; readonly newestId: string | null },
  values: Values,
): string {
  const conditions = [
    OF_PROJECT,
    `b.id <= ${values.add(newestId, 'uuid')}`,
    ...(platform === undefined ? [] : [`b.platform = ${values.add(platform, 'text')}`]),
    ...(version === undefined ? [] : [`b.version = ${values.add(version, 'text')}`]),
    ...(branches === null ? [] : [`b.branch = ANY (${values.add(branches, 'text[]')})`]),
    ...(uploadedBy === undefined ? [] : [`b.uploaded_by_id = ${values.add(uploadedBy, 'uuid')}`]),
    ...(from === undefined ? [] : [`b.uploaded_at >= ${values.add(from, 'timestamptz')}`]),
    ...(to === undefined ? [] : [`b.uploaded_at < ${values.add(to, 'timestamptz')}`]),
  ];
  return tables(`SELECT ${COLUMNS} FROM build b WHERE ${conditions.join(' AND ')}`, PROTECTED_FROM_FILTERS);
}

const PARTITIONS: Readonly<Record<RetentionGroup, string>> = {
  project: '',
  platform: 'PARTITION BY platform',
  branch: 'PARTITION BY branch',
};

/** SQL of the condition of the builds `b` by which rules judge some builds: those themselves, and the groups among which rules count them. */
function decidesAbout(among: string, rules: readonly RetentionRule[]): string {
  const groups = new Set(rules.flatMap(({ keepLast, per }) => (keepLast === undefined ? [] : [per])));
  if (groups.has('project')) return 'true';
  const counted = [...groups].map(
    (column) => `coalesce(b.${column}, '') IN (
      SELECT coalesce(a.${column}, '') FROM build a WHERE a.id = ANY (${among}) AND ${isLive('a')})`,
  );
  return [`b.id = ANY (${among})`, ...counted].join(' OR ');
}

/**
 * @param branchesOf the branches that each rule is about; null when it is about all builds.
 * @param values of no other statement.
 * @param among the builds that are judged; absent: all of the project.
 */
export function selectByRules(
  rules: readonly RetentionRule[],
  branchesOf: readonly (readonly string[] | null)[],
  {
    now,
    values,
    among,
  }: { readonly now: Date; readonly values: Values; readonly among?: readonly string[] | undefined },
): string {
  values.add(now, 'timestamptz');
  const ids = among && values.add(among, 'uuid[]');
  const judgements = rules.map(({ keepLast, keepDays, per }, index) => {
    const branches = branchesOf[index] ?? null;
    const about = branches ? `WHERE branch = ANY (${values.add(branches, 'text[]')})` : '';
    const letsGo = [
      ...(keepLast === undefined
        ? []
        : [`row_number() OVER (${PARTITIONS[per]} ORDER BY id DESC) > ${values.add(keepLast, 'int')}`]),
      ...(keepDays === undefined
        ? []
        : [`uploaded_at < $3::timestamptz - make_interval(days => ${values.add(keepDays, 'int')})`]),
    ];
    return `SELECT id, ${letsGo.join(' AND ')} AS goes FROM existing ${about}`;
  });
  const judged = judgements.length === 0 ? 'SELECT id, false AS goes FROM existing' : judgements.join(' UNION ALL ');
  const existing = ids ? `${OF_PROJECT} AND (${decidesAbout(ids, rules)})` : OF_PROJECT;
  const only = ids ? ` WHERE e.id = ANY (${ids})` : '';
  return `existing AS MATERIALIZED (SELECT ${COLUMNS} FROM build b WHERE ${existing}),
    ${tables(
      `SELECT e.* FROM existing e JOIN (SELECT id FROM (${judged}) rule GROUP BY id HAVING bool_and(goes)) j ON j.id = e.id${only}`,
      PROTECTED_FROM_RULES,
    )}`;
}
