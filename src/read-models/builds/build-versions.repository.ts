import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { ONE_PLAN } from '#infra/database/pool/statement-names';
import { SERVER_VERSION } from '#infra/database/server-version';
import { columnsOf, one, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { MAX_PAGE_SIZE } from '#infra/http/dto/pagination';
import {
  type BuildChanges,
  type BuildChannel,
  type ListedBuild,
  listedBuildFromRow,
  type ListedRow,
  LIVE,
  type StoredDetails,
  UNLISTED,
} from '#modules/builds';
import { type RuledToken } from '#modules/install-links';

/** The data of other modules about a build. */
export interface BuildRelations {
  /** The name of the uploader; null when the account or the token was deleted. */
  readonly label: string | null;
  /** In the order of their names. */
  readonly channels: readonly BuildChannel[];
}

/** A build, and the version of all that a list shows of it. */
export interface BuildVersion {
  readonly id: string;
  /** Differs when the row of the build, its link, its channels or the name of its uploader was changed. */
  readonly version: string;
}

/** A build, and the data of other tables about it, all as of one version. */
export interface VersionedBuild extends BuildVersion, BuildRelations {
  readonly build: ListedBuild;
  readonly link: RuledToken | null;
}

/** A build with the long facts of its artifact and its changes, which lists do not have. */
export interface DetailedBuild extends VersionedBuild {
  /** Null when none were kept. */
  readonly details: StoredDetails | null;
  /** Null when the upload said nothing about them. */
  readonly changes: BuildChanges | null;
}

/** The builds before an id, or from the newest one on when it is null, and how many of them. */
export interface BuildRange {
  readonly before: string | null;
  readonly count: number;
}

/** The install link of a build; nulls when it has none. */
interface LinkRow extends Omit<RuledToken, 'id'> {
  readonly linkId: string | null;
}

interface VersionedRow extends ListedRow, BuildRelations, LinkRow {
  /** Hexadecimal. A buffer would only be made to be converted to this text. */
  readonly sha256: string;
  readonly rowVersion: string;
  /** Only if the statement reads it. */
  readonly details?: StoredDetails | null;
  readonly changes?: BuildChanges | null;
}

/** `OFFSET 0`: links are read by their index, also when PostgreSQL does not know yet how many there are, as after an import. */
const JOIN_LINK = `LEFT JOIN LATERAL (
  SELECT id, sealed_token, rule_version, xmin AS version FROM invite
  WHERE build_id = b.id AND tester_id IS NULL AND is_default OFFSET 0) l ON true`;

/** The name of the uploader of a build `b`. Rows hold only ids, so a name disappears with its account. */
const LABEL = `CASE b.uploaded_by_kind
  WHEN 'developer' THEN (SELECT coalesce(name, email) FROM developer WHERE id = b.uploaded_by_id)
  WHEN 'project_access_token' THEN (SELECT name FROM project_access_token WHERE id = b.uploaded_by_id) END`;

/** The channels of a build `b`. Most builds of a list have no release, and then nothing else is read. */
const CHANNELS = `CASE WHEN EXISTS (SELECT 1 FROM release r WHERE r.build_id = b.id AND r.deleted_at IS NULL) THEN (
  SELECT json_agg(c) FROM (
    SELECT c.id, c.name, bool_or(now.release_id IS NOT NULL) AS current
    FROM release r JOIN channel c ON c.id = r.channel_id LEFT JOIN current_release now ON now.release_id = r.id
    WHERE r.build_id = b.id AND r.deleted_at IS NULL GROUP BY c.id ORDER BY c.name, c.id
  ) c) ELSE '[]' END`;

/** With `OFFSET 0` the relations are computed once, however often they are used. */
const JOIN_RELATIONS = `CROSS JOIN LATERAL (SELECT ${LABEL} AS label, ${CHANNELS} AS channels OFFSET 0) r`;

const DETAILS = `(SELECT details FROM build_detail WHERE build_id = b.id) AS details,
  (SELECT jsonb_build_object('pullRequestTitle', pull_request_title, 'commits', commits, 'commitsSince', commits_since)
   FROM build_change WHERE build_id = b.id) AS changes,`;

/**
 * The version of all data that a list shows of a build: the id of the build, the transaction that wrote its row (`xmin`), the place of the
 * row (`ctid`) and the server, because no two versions of a row share these; the id of the link and the transaction that
 * wrote its row, which changes with its token; and the channels and the label themselves. The label comes last, because only it can contain any text.
 */
const VERSION = `concat(b.id, b.xmin, b.ctid, ${SERVER_VERSION}, ' ', l.id, l.version, ' ', r.channels, ' "' || r.label)`;

const ID_LENGTH = 36;
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * The newest builds of a project before an id. The subselects hide the values from the planner. If it saw them, it would often expect fewer
 * rows than with unknown values, and therefore plan again at each request. The inner limit tells it that few rows are read. The project is
 * part of the order and is not compared by `=`, so that only the index of project and id has this order. Otherwise PostgreSQL would read
 * the newest builds of all projects, which takes long for a project without new ones.
 */
const NEWEST = `(SELECT * FROM (
  SELECT *, xmin, ctid FROM build
  WHERE organization_id = (SELECT $1::uuid) AND project_id >= (SELECT $2::uuid)
    AND (project_id, id) < ((SELECT $2::uuid), (SELECT $3::uuid)) AND ${LIVE}
  ORDER BY project_id DESC, id DESC LIMIT ${MAX_PAGE_SIZE + 1}) newest ORDER BY project_id DESC, id DESC LIMIT (SELECT $4::int))`;

/** The parameters of `NEWEST`. */
const valuesOf = ({ organizationId, projectId }: ProjectScope, { before, count }: BuildRange): readonly unknown[] => [
  organizationId,
  projectId,
  before ?? LAST_ID,
  count,
];

/** Builds by their ids, also those in the trash: a list has chosen them. */
const CHOSEN = `(SELECT *, xmin, ctid FROM build WHERE organization_id = $1 AND project_id = $2 AND id = ANY ($3::uuid[]))`;

const ONE = CHOSEN.replace(/\)$/, ` AND ${LIVE})`);

/**
 * Reads the versions of builds (docs/decisions/0053-versioned-fragments.md). The statements are prepared, because their plans would take
 * longer than their execution.
 */
@Injectable()
export class BuildVersionsRepository {
  constructor(private readonly transactions: Transactions) {}

  /** The newest builds of a project, newest first. */
  newest(ctx: RequestContext, scope: ProjectScope, range: BuildRange): Promise<BuildVersion[]> {
    return this.find(ctx, NEWEST, valuesOf(scope, range));
  }

  /** Newest first. Missing ids are skipped. */
  of(ctx: RequestContext, scope: ProjectScope, ids: readonly string[]): Promise<BuildVersion[]> {
    return this.find(ctx, CHOSEN, [scope.organizationId, scope.projectId, ids]);
  }

  /** Reads the builds of `newest`. */
  readNewest(ctx: RequestContext, scope: ProjectScope, range: BuildRange): Promise<VersionedBuild[]> {
    return this.read(ctx, NEWEST, valuesOf(scope, range));
  }

  /** Reads the builds of `of`. */
  readOf(ctx: RequestContext, scope: ProjectScope, ids: readonly string[]): Promise<VersionedBuild[]> {
    return this.read(ctx, CHOSEN, [scope.organizationId, scope.projectId, ids]);
  }

  /** Reads one build with its details; null when it does not exist. */
  async readOne(
    ctx: RequestContext,
    { organizationId, projectId }: ProjectScope,
    id: string,
  ): Promise<DetailedBuild | null> {
    const [found] = await this.read(ctx, ONE, [organizationId, projectId, [id]], DETAILS);
    return found ?? null;
  }

  /** Missing ids are skipped. */
  async channelsOf(
    ctx: RequestContext,
    { organizationId, projectId }: ProjectScope,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, readonly BuildChannel[]>> {
    const found = await rows<Pick<VersionedBuild, 'id' | 'channels'>>(
      this.transactions.manager(ctx),
      `SELECT b.id, ${CHANNELS} AS channels FROM build b
       WHERE b.organization_id = $1 AND b.project_id = $2 AND b.id = ANY ($3::uuid[])`,
      [organizationId, projectId, ids],
    );
    return new Map(found.map(({ id, channels }) => [id, channels]));
  }

  /**
   * Reads builds with their links and relations, each in one version, newest first.
   * @param builds as for `find`.
   * @param further SQL of further columns.
   */
  private async read(
    ctx: RequestContext,
    builds: string,
    values: readonly unknown[],
    further = '',
  ): Promise<DetailedBuild[]> {
    const manager = this.transactions.manager(ctx);
    const found = await rows<VersionedRow>(
      manager,
      `SELECT ${columnsOf(manager.connection.getMetadata('build'), 'b', UNLISTED)}, ${further} encode(b.sha256, 'hex') AS sha256,
              ${VERSION} AS "rowVersion", l.id AS "linkId", l.sealed_token AS "sealedToken", l.rule_version AS "ruleVersion",
              r.label, r.channels
       FROM ${builds} b ${JOIN_LINK} ${JOIN_RELATIONS} ORDER BY b.id DESC ${ONE_PLAN}`,
      values,
    );
    const now = ctx.clock.now();
    return found.map((row) => {
      const { id, sha256, linkId, sealedToken, ruleVersion, label, channels, rowVersion: version } = row;
      const { details = null, changes = null } = row;
      const link = linkId === null ? null : { id: linkId, sealedToken, ruleVersion };
      return { id, build: listedBuildFromRow(row, sha256, now), version, link, label, channels, details, changes };
    });
  }

  /**
   * All versions are in one value, which the driver parses in a fraction of the time of a hundred rows.
   * @param builds SQL of the builds, with their system columns.
   */
  private async find(ctx: RequestContext, builds: string, values: readonly unknown[]): Promise<BuildVersion[]> {
    const found = await one<{ readonly versions: readonly string[] | null }>(
      this.transactions.manager(ctx),
      `SELECT json_agg(${VERSION} ORDER BY b.id DESC) AS versions FROM ${builds} b ${JOIN_LINK} ${JOIN_RELATIONS} ${ONE_PLAN}`,
      values,
    );
    return (found?.versions ?? []).map((version) => ({ id: version.slice(0, ID_LENGTH), version }));
  }
}
