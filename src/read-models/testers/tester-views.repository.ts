import { Injectable } from '@nestjs/common';
import { LessThan, type ObjectLiteral } from 'typeorm';
import { type DeviceFamily } from '#kernel/builds/device';
import { type Platform } from '#kernel/builds/platform';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope, scopeOf } from '#kernel/context/scope';
import { decodeCursor, type Page, pageOf, type PageRequest } from '#kernel/cursor';
import { emailKeyOf } from '#kernel/text/email-address';
import { columnsOf, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import {
  type Tester,
  type TesterActivity,
  type TesterFilter,
  testersList,
  type TesterState,
  TesterViews,
} from '#modules/testers';

/** The newest download of `tester`, as `last`, with its build, as `build`. */
const LAST_DOWNLOAD = `
  LEFT JOIN LATERAL (
    SELECT d.build_id, d.device_family, d.started_at FROM build_download d
    WHERE d.tester_id = tester.id ORDER BY d.id DESC LIMIT 1
  ) last ON true
  LEFT JOIN build ON build.id = last.build_id`;

/** Two subqueries, because each kind of suppression has an index of its own. */
const HAS_LEFT = `(
  EXISTS (SELECT FROM suppression x WHERE x.project_id = tester.project_id AND x.address_digest = tester.address_digest
          AND x.channel_id IS NULL)
  OR EXISTS (SELECT FROM suppression x WHERE x.project_id = tester.project_id
             AND x.address_digest = tester.address_digest AND x.channel_id IS NOT NULL)
     AND NOT EXISTS (SELECT FROM subscription s WHERE s.tester_id = tester.id))`;

/** Null when no channel of the tester has a current release for the platform. */
const IS_BEHIND = `(
  SELECT bool_and(r.build_id <> build.id) FROM subscription s
  JOIN current_release c ON c.channel_id = s.channel_id AND c.platform = build.platform
  JOIN release r ON r.id = c.release_id
  WHERE s.tester_id = tester.id)`;

/** The state of `tester`. Needs the join `LAST_DOWNLOAD`. */
const STATE = `
  CASE WHEN ${HAS_LEFT} THEN 'left'
       WHEN tester.bounced_at IS NOT NULL THEN 'bounced'
       WHEN build.id IS NOT NULL THEN CASE WHEN ${IS_BEHIND} THEN 'behind' ELSE 'has_current' END
       WHEN tester.opened_at IS NOT NULL THEN 'opened'
       WHEN tester.invited_at IS NOT NULL THEN 'invited'
       ELSE 'added' END`;

const STATE_OF_TESTER = `(SELECT ${STATE} FROM (VALUES (1)) AS the_one ${LAST_DOWNLOAD})`;

const WAS_SUPPRESSED = `tester.address_digest IN (SELECT address_digest FROM suppression WHERE project_id = tester.project_id)`;
const HAS_DOWNLOADED = `EXISTS (SELECT FROM build_download d WHERE d.tester_id = tester.id)`;

/** A condition that all rows of a state meet and that is cheap to check, so that the state is computed for few other rows. */
const PRECONDITIONS: Record<TesterState, string> = {
  added: 'tester.invited_at IS NULL AND tester.opened_at IS NULL',
  invited: 'tester.invited_at IS NOT NULL AND tester.opened_at IS NULL',
  opened: 'tester.opened_at IS NOT NULL',
  has_current: HAS_DOWNLOADED,
  behind: HAS_DOWNLOADED,
  left: WAS_SUPPRESSED,
  bounced: 'tester.bounced_at IS NOT NULL',
};

/** The condition of a query of `tester` that lists one state. */
const inState = (state: TesterState): string => `${PRECONDITIONS[state]} AND ${STATE_OF_TESTER} = '${state}'`;

const notInState = (state: TesterState): string => `${STATE_OF_TESTER} <> '${state}'`;

interface ActivityRow {
  readonly id: string;
  readonly state: TesterState;
  readonly invitedAt: Date | null;
  readonly openedAt: Date | null;
  readonly buildId: string | null;
  readonly version: string;
  readonly buildNumber: string | null;
  readonly platform: Platform;
  readonly deviceFamily: DeviceFamily;
  readonly at: Date;
}

/** One query reads a page of testers, because the state depends on all of the tables. */
@Injectable()
export class TesterViewsRepository extends TesterViews {
  constructor(private readonly transactions: Transactions) {
    super();
  }

  async list(
    ctx: RequestContext,
    scope: ProjectScope,
    { email, q, channelId, state, behind }: TesterFilter,
    { limit, cursor }: PageRequest,
  ): Promise<Page<Tester>> {
    const list = testersList(scope);
    const before = decodeCursor(cursor, list);
    const testers = this.transactions.manager(ctx).getRepository<ObjectLiteral>('tester');
    // Raw rows, because TypeORM's mapper takes longer for a thousand of them than the statement.
    const query = testers
      .createQueryBuilder('tester')
      .select(columnsOf(testers.metadata, 'tester'))
      .where({
        ...scopeOf(scope),
        ...(before && { id: LessThan(before) }),
        ...(email !== undefined && { emailKey: emailKeyOf(email) }),
      })
      .orderBy('tester.id', 'DESC')
      .limit(limit + 1);
    if (q) {
      query.andWhere('(tester.email ILIKE :q OR tester.name ILIKE :q)', { q: `%${q.replace(/[\\%_]/g, '\\$&')}%` });
    }
    if (channelId) {
      query.innerJoin('subscription', 's', 's.tester_id = tester.id AND s.channel_id = :channelId', { channelId });
    }
    if (state) query.andWhere(inState(state));
    if (behind !== undefined) query.andWhere(behind ? inState('behind') : notInState('behind'));
    return pageOf(await query.getRawMany<Tester>(), limit, list);
  }

  async activities(
    ctx: RequestContext,
    { organizationId, projectId }: ProjectScope,
    testerIds: readonly string[],
  ): Promise<ReadonlyMap<string, TesterActivity>> {
    if (testerIds.length === 0) return new Map();
    const found = await rows<ActivityRow>(
      this.transactions.manager(ctx),
      `SELECT tester.id, tester.invited_at AS "invitedAt", tester.opened_at AS "openedAt", ${STATE} AS state,
              build.id AS "buildId", build.version, build.build_number AS "buildNumber", build.platform,
              last.device_family AS "deviceFamily", last.started_at AS at
       FROM tester ${LAST_DOWNLOAD}
       WHERE tester.organization_id = $1 AND tester.project_id = $2 AND tester.id = ANY ($3::uuid[])`,
      [organizationId, projectId, testerIds],
    );
    return new Map(found.map((row) => [row.id, activityFromRow(row)]));
  }
}

const activityFromRow = ({ state, invitedAt, openedAt, buildId, ...last }: ActivityRow): TesterActivity => ({
  state,
  invitedAt,
  openedAt,
  lastDownload:
    buildId === null
      ? null
      : {
          buildId,
          version: last.version,
          buildNumber: last.buildNumber,
          platform: last.platform,
          deviceFamily: last.deviceFamily,
          at: last.at,
        },
});
