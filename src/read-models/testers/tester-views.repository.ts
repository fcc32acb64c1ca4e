import { Injectable } from '@nestjs/common';
import { type ObjectLiteral } from 'typeorm';
import { type DeviceFamily } from '#kernel/builds/device';
import { type Platform } from '#kernel/builds/platform';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { decodeCursor, type Page, type PageRequest } from '#kernel/cursor';
import { AppError } from '#kernel/errors/app-error';
import { emailKeyOf } from '#kernel/text/email-address';
import { allOf, type BoundedSearch, type Condition, searchPage } from '#infra/database/bounded-search';
import { columnsOf, escapeLike, one, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import {
  type AdoptionFilter,
  type AdoptionOf,
  POSSESSION_STEPS,
  type Tester,
  type TesterActivity,
  type TesterAdoption,
  type TesterFilter,
  testersList,
  type TesterState,
  TesterViews,
} from '#modules/testers';
import {
  HAS_CURRENT,
  lastMailOfBuild,
  lastMailOfRelease,
  stepInRelease,
  stepWithBuild,
} from '../adoption/adoption-steps';
import { HAS_BOUNCED, inState, LAST_DOWNLOAD, notInState, STATE } from './tester-states';

/**
 * The maximum number of testers in which a request searches for those that meet a condition without an index. The page may then be short,
 * and continues.
 */
const SCAN_MAX = 10_000;
/** The step of a tester in an adoption needs four times the reads of the other conditions. */
const STEP_SCAN_MAX = 2_500;

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
    filter: TesterFilter,
    { limit, cursor }: PageRequest,
  ): Promise<Page<Tester>> {
    const { adoption } = filter;
    if (adoption) await this.requireExistence(ctx, scope, adoption.of);
    const list = testersList(scope);
    const search = searchOf(scope, filter, decodeCursor(cursor, list));
    // Raw rows, because TypeORM's mapper takes longer for a thousand of them than the statement.
    const columns = columnsOf(this.transactions.manager(ctx).getRepository<ObjectLiteral>('tester').metadata, 'tester');
    return searchPage<Tester>(this.transactions, ctx, search, columns, { limit, list });
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

  async adoptions(
    ctx: RequestContext,
    { organizationId, projectId }: ProjectScope,
    testerIds: readonly string[],
    of: AdoptionOf | null,
  ): Promise<ReadonlyMap<string, TesterAdoption>> {
    const found = await rows<TesterAdoption & { readonly id: string }>(
      this.transactions.manager(ctx),
      `SELECT tester.id, ${HAS_CURRENT} AS "hasCurrent", ${of ? stepOf(of, '$4') : 'NULL'} AS step,
              ${of ? lastMailOf(of, '$4') : 'NULL'} AS "mailedAt"
       FROM tester WHERE tester.organization_id = $1 AND tester.project_id = $2 AND tester.id = ANY ($3::uuid[])`,
      [organizationId, projectId, testerIds, ...(of ? [idOf(of)] : [])],
    );
    return new Map(found.map(({ id, ...adoption }) => [id, adoption]));
  }

  private async requireExistence(
    ctx: RequestContext,
    { organizationId, projectId }: ProjectScope,
    of: AdoptionOf,
  ): Promise<void> {
    const table = 'releaseId' in of ? 'release' : 'build';
    const found = await one(
      this.transactions.manager(ctx),
      `SELECT 1 FROM ${table} WHERE organization_id = $1 AND project_id = $2 AND id = $3`,
      [organizationId, projectId, idOf(of)],
    );
    if (!found) throw AppError.notFound(table);
  }
}

/** The search for the testers that meet the filter, as rows `tester`. */
function searchOf(scope: ProjectScope, filter: TesterFilter, before: string | null): BoundedSearch {
  const { email, channelId, state, adoption } = filter;
  const indexed = allOf([
    ['tester.organization_id = ?', scope.organizationId],
    ['tester.project_id = ?', scope.projectId],
    ['tester.id < ?', before],
    ['tester.email_key = ?', email === undefined ? null : emailKeyOf(email)],
    ['s.channel_id = ?', channelId],
    ['s.tester_id < ?', channelId === undefined ? null : before],
    ...(adoption && adoption.step !== 'bounced' ? [[preconditionOf(adoption), idOf(adoption.of)] as const] : []),
    ...(state === 'bounced' || adoption?.step === 'bounced' ? [[HAS_BOUNCED] as const] : []),
  ]);
  return {
    table: 'tester',
    source: channelId === undefined ? 'tester' : 'subscription s JOIN tester ON tester.id = s.tester_id',
    indexed,
    searched: allOf(searched(filter), indexed.values.length + 1),
    order: 'tester.id DESC',
    max: adoption ? STEP_SCAN_MAX : SCAN_MAX,
  };
}

/** The conditions that no index serves. */
const searched = ({ q, state, behind, adoption, hasNotCurrent }: TesterFilter): readonly Condition[] => [
  ['(tester.email ILIKE ? OR tester.name ILIKE ?)', q ? `%${escapeLike(q)}%` : null],
  ...(state ? [[inState(state)] as const] : []),
  ...(behind === undefined ? [] : [[behind ? inState('behind') : notInState('behind')] as const]),
  ...(adoption ? [[inStep(adoption, '?'), idOf(adoption.of)] as const] : []),
  ...(hasNotCurrent ? [[`${HAS_CURRENT} = false`] as const] : []),
];

/**
 * A condition that all testers of a step meet and that an index finds, so that the step is computed for few others. Those of the step
 * `bounced` have an index of their own: joined with the audience, which is large, they would take long.
 */
function preconditionOf({ of, step }: AdoptionFilter): string {
  const build = 'releaseId' in of ? '(SELECT r.build_id FROM release r WHERE r.id = ?)' : '?';
  const downloads = `SELECT d.tester_id FROM build_download d WHERE d.build_id = ${build}`;
  if (step === 'has_it' || step === 'downloaded') return `tester.id IN (${downloads})`;
  const audience =
    'releaseId' in of
      ? `SELECT s.tester_id FROM subscription s WHERE s.channel_id = (SELECT r.channel_id FROM release r WHERE r.id = ?)`
      : `${downloads} UNION ALL SELECT i.tester_id FROM invite i WHERE i.build_id = ? UNION ALL
         SELECT s.tester_id FROM release r JOIN current_release c ON c.release_id = r.id
         JOIN subscription s ON s.channel_id = r.channel_id WHERE r.build_id = ?`;
  return `tester.id IN (${audience})`;
}

const idOf = (of: AdoptionOf): string => ('releaseId' in of ? of.releaseId : of.buildId);

const stepOf = (of: AdoptionOf, id: string): string => ('releaseId' in of ? stepInRelease(id) : stepWithBuild(id));

const lastMailOf = (of: AdoptionOf, id: string): string =>
  'releaseId' in of ? lastMailOfRelease(id) : lastMailOfBuild(id);

const inStep = ({ of, step }: AdoptionFilter, id: string): string =>
  step === 'has_not'
    ? `${stepOf(of, id)} NOT IN ('${POSSESSION_STEPS.join("', '")}')`
    : `${stepOf(of, id)} = '${step}'`;

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
