import { Injectable } from '@nestjs/common';
import { type ObjectLiteral } from 'typeorm';
import { type DeviceFamily } from '#kernel/builds/device';
import { type Platform } from '#kernel/builds/platform';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { decodeCursor, encodeCursor, type Page, pageOf, type PageRequest } from '#kernel/cursor';
import { AppError } from '#kernel/errors/app-error';
import { emailKeyOf } from '#kernel/text/email-address';
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
    const selected = selection(scope, filter, decodeCursor(cursor, list));
    const found = await this.read(ctx, selected, limit + 1);
    if (selected.searched.length === 0 || found.length > limit) return pageOf(found, limit, list);
    const last = await this.lastScanned(ctx, selected);
    return { items: found, nextCursor: last && encodeCursor(last, list) };
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

  private read(ctx: RequestContext, { source, base, searched, values }: Selection, limit: number): Promise<Tester[]> {
    const manager = this.transactions.manager(ctx);
    // Raw rows, because TypeORM's mapper takes longer for a thousand of them than the statement.
    const columns = columnsOf(manager.getRepository<ObjectLiteral>('tester').metadata, 'tester');
    const from =
      searched.length === 0
        ? `${source} WHERE ${base.join(' AND ')}`
        : `(SELECT tester.* FROM ${source} WHERE ${base.join(' AND ')} ORDER BY tester.id DESC LIMIT ${SCAN_MAX}) AS tester
           WHERE ${searched.join(' AND ')}`;
    return rows<Tester>(manager, `SELECT ${columns} FROM ${from} ORDER BY tester.id DESC LIMIT ${limit}`, values);
  }

  /** The id of the last tester that a scan read. Null when it read all. */
  private async lastScanned(ctx: RequestContext, { source, base, baseValues }: Selection): Promise<string | null> {
    const scanned = await one<{ id: string }>(
      this.transactions.manager(ctx),
      `SELECT tester.id FROM ${source} WHERE ${base.join(' AND ')} ORDER BY tester.id DESC OFFSET ${SCAN_MAX - 1} LIMIT 1`,
      baseValues,
    );
    return scanned?.id ?? null;
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

interface Selection {
  /** The table `tester`, joined so that an index of the first table has the order of the list. */
  readonly source: string;
  /** The conditions that an index serves. */
  readonly base: readonly string[];
  /** The conditions that no index serves. */
  readonly searched: readonly string[];
  readonly values: readonly unknown[];
  /** The values without those of `searched`. */
  readonly baseValues: readonly unknown[];
}

type Condition = readonly [condition: string, value: unknown];

/** The conditions that the filter has, about rows `tester`. */
function selection(scope: ProjectScope, filter: TesterFilter, before: string | null): Selection {
  const { email, channelId, state, adoption } = filter;
  const base: readonly Condition[] = [
    ['tester.organization_id = ?', scope.organizationId],
    ['tester.project_id = ?', scope.projectId],
    ['tester.id < ?', before],
    ['tester.email_key = ?', email === undefined ? null : emailKeyOf(email)],
    ['s.channel_id = ?', channelId ?? null],
    ['s.tester_id < ?', channelId === undefined ? null : before],
    ...(adoption && adoption.step !== 'bounced' ? [[preconditionOf(adoption), idOf(adoption.of)] as const] : []),
  ];
  const present = base.filter(([, value]) => value !== null);
  const baseValues = present.map(([, value]) => value);
  const rest = searched(filter, baseValues.length + 1);
  return {
    source: channelId === undefined ? 'tester' : 'subscription s JOIN tester ON tester.id = s.tester_id',
    base: [
      ...present.map(([condition], index) => condition.replaceAll('?', `$${index + 1}`)),
      ...(state === 'bounced' || adoption?.step === 'bounced' ? [HAS_BOUNCED] : []),
    ],
    searched: rest.conditions,
    values: [...baseValues, ...rest.values],
    baseValues,
  };
}

interface Searched {
  readonly conditions: readonly string[];
  readonly values: readonly unknown[];
}

/** The conditions that no index serves. @param first the number of the first parameter. */
function searched({ q, state, behind, adoption, hasNotCurrent }: TesterFilter, first: number): Searched {
  const values = [...(q ? [`%${escapeLike(q)}%`] : []), ...(adoption ? [idOf(adoption.of)] : [])];
  const conditions = [
    ...(q ? [`(tester.email ILIKE $${first} OR tester.name ILIKE $${first})`] : []),
    ...(state ? [inState(state)] : []),
    ...(behind === undefined ? [] : [behind ? inState('behind') : notInState('behind')]),
    ...(adoption ? [inStep(adoption, `$${first + values.length - 1}`)] : []),
    ...(hasNotCurrent ? [`${HAS_CURRENT} = false`] : []),
  ];
  return { conditions, values };
}

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
