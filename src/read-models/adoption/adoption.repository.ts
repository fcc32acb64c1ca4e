import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { one, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { type Adoption, type ReleaseAdoption } from './adoption';
import { COUNT_BUILD, COUNT_RELEASES, type StepCount, WITHOUT_NESTED_LOOPS } from './adoption-counts';

/** A current release of a project. */
export type CurrentRelease = Pick<
  ReleaseAdoption,
  'releaseId' | 'channel' | 'platform' | 'buildId' | 'releasedAt' | 'remindedAt'
>;

export type Counts = Adoption & Pick<ReleaseAdoption, 'otherPlatforms'>;

/** The adoption of an audience without testers. */
export const NOBODY: Counts = {
  testers: 0,
  has_it: 0,
  has_newer: 0,
  downloaded: 0,
  bounced: 0,
  opened: 0,
  mailed: 0,
  not_mailed: 0,
  otherPlatforms: 0,
};

/** The ids that the statements find rows by. */
interface Subjects {
  readonly builds: readonly string[];
  readonly releases: readonly string[];
  readonly channels: readonly string[];
}

/** A statement counts this many testers, so that it takes less than a second, and others get their turn. */
const RANGE_SIZE = 20_000;

const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

@Injectable()
export class AdoptionRepository {
  constructor(private readonly transactions: Transactions) {}

  listCurrent(ctx: RequestContext, { organizationId, projectId }: ProjectScope): Promise<CurrentRelease[]> {
    return rows<CurrentRelease>(
      this.transactions.manager(ctx),
      `SELECT r.id AS "releaseId", json_build_object('id', c.id, 'name', c.name) AS channel, r.platform, r.build_id AS "buildId",
              r.promoted_at AS "releasedAt",
              (SELECT max(m.reminded_at) FROM release_mail m WHERE m.release_id = r.id) AS "remindedAt"
       FROM current_release now JOIN release r ON r.id = now.release_id JOIN channel c ON c.id = r.channel_id
       WHERE r.organization_id = $1 AND r.project_id = $2`,
      [organizationId, projectId],
    );
  }

  /** The numbers of releases, by id. Releases without subscribers are omitted. */
  countReleases(
    ctx: RequestContext,
    scope: ProjectScope,
    releases: readonly CurrentRelease[],
  ): Promise<ReadonlyMap<string, Counts>> {
    return this.count(ctx, scope, COUNT_RELEASES, {
      builds: releases.map(({ buildId }) => buildId),
      releases: releases.map(({ releaseId }) => releaseId),
      channels: releases.map(({ channel }) => channel.id),
    });
  }

  /** The numbers of a build, by its id. Empty without an audience. */
  async countBuild(ctx: RequestContext, scope: ProjectScope, buildId: string): Promise<ReadonlyMap<string, Counts>> {
    const releases = await rows<{ id: string; channelId: string }>(
      this.transactions.manager(ctx),
      `SELECT id, channel_id AS "channelId" FROM release WHERE organization_id = $1 AND project_id = $2 AND build_id = $3`,
      [scope.organizationId, scope.projectId, buildId],
    );
    return this.count(ctx, scope, COUNT_BUILD, {
      builds: [buildId],
      releases: releases.map(({ id }) => id),
      channels: releases.map(({ channelId }) => channelId),
    });
  }

  /** Runs a statement for each range of the testers. @returns the sums, by the column `id`. */
  private async count(
    ctx: RequestContext,
    scope: ProjectScope,
    statement: string,
    { builds, releases, channels }: Subjects,
  ): Promise<ReadonlyMap<string, Counts>> {
    const sums = new Map<string, Counts>();
    let after = FIRST_ID;
    for (let last: string | null = null; last !== LAST_ID; after = last) {
      last = (await this.endOfRange(ctx, scope, after)) ?? LAST_ID;
      const range = [scope.organizationId, scope.projectId, after, last];
      const counted = await this.transactions.run(ctx, async (tx) => {
        await rows(this.transactions.manager(tx), WITHOUT_NESTED_LOOPS);
        return rows<StepCount>(this.transactions.manager(tx), statement, [...range, builds, releases, channels]);
      });
      for (const stepCount of counted) sums.set(stepCount.id, plus(sums.get(stepCount.id) ?? NOBODY, stepCount));
    }
    return sums;
  }

  /** The id of the last tester of a range, null when fewer are left. */
  private async endOfRange(ctx: RequestContext, scope: ProjectScope, after: string): Promise<string | null> {
    const last = await one<{ id: string }>(
      this.transactions.manager(ctx),
      `SELECT id FROM tester WHERE organization_id = $1 AND project_id = $2 AND id > $3
       ORDER BY id OFFSET ${RANGE_SIZE - 1} LIMIT 1`,
      [scope.organizationId, scope.projectId, after],
    );
    return last?.id ?? null;
  }
}

const plus = (counts: Counts, { step, count }: StepCount): Counts =>
  step === null
    ? { ...counts, otherPlatforms: counts.otherPlatforms + count }
    : { ...counts, testers: counts.testers + count, [step]: counts[step] + count };
