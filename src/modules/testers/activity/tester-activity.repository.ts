import { Injectable } from '@nestjs/common';
import { type DeviceFamily } from '#kernel/builds/device';
import { type Platform } from '#kernel/builds/platform';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { changed, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { AddressDigests } from '../subscriptions/address-digests';
import { type TesterActivity, type TesterState } from './tester-activity';
import { LAST_DOWNLOAD, STATE } from './tester-state-sql';

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

interface UnfilledRow {
  readonly id: string;
  readonly projectId: string;
  readonly email: string;
}

/** Testers per transaction of the job. */
const FILLED_AT_ONCE = 500;

/**
 * What testers did, from tables of several modules: the download log and builds, current releases, suppressions. One query reads a page of
 * testers, because the state depends on all of them.
 */
@Injectable()
export class TesterActivityRepository {
  constructor(
    private readonly transactions: Transactions,
    private readonly digests: AddressDigests,
  ) {}

  /** The activity of testers, keyed by their ids. */
  async find(
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

  /**
   * Adds the digest and the time of the last mail to rows of earlier releases, which have neither.
   * @returns how many rows it changed; 0 when none is left.
   */
  async fillNext(tx: RequestContext): Promise<number> {
    const manager = this.transactions.manager(tx);
    const unfilled = await rows<UnfilledRow>(
      manager,
      `SELECT id, project_id AS "projectId", email FROM tester WHERE address_digest IS NULL
       ORDER BY id LIMIT ${FILLED_AT_ONCE} FOR NO KEY UPDATE SKIP LOCKED`,
    );
    return changed(
      manager,
      `UPDATE tester SET address_digest = filled.digest, invited_at = coalesce(
         tester.invited_at, (SELECT max(created_at) FROM invite WHERE invite.tester_id = tester.id))
       FROM unnest($1::uuid[], $2::bytea[]) AS filled (id, digest) WHERE tester.id = filled.id`,
      [unfilled.map(({ id }) => id), unfilled.map((row) => this.digests.of(row, row.email))],
    );
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
