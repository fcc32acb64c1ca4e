import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { one, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { ADOPTION_STEPS } from '#modules/testers';
import { type Adoption, type ReleaseAdoption } from './adoption';
import { IN_AUDIENCE_OF_BUILD, isConcerned, STEP_IN_RELEASE, STEP_WITH_BUILD } from './adoption-steps';

/** A current release of a project. */
export type CurrentRelease = Pick<
  ReleaseAdoption,
  'releaseId' | 'channel' | 'platform' | 'buildId' | 'releasedAt' | 'remindedAt'
>;

type Counts = Adoption & Pick<ReleaseAdoption, 'otherPlatforms'>;

/** The adoption of an audience without testers. */
export const NOBODY: Counts = {
  testers: 0,
  has_it: 0,
  downloaded: 0,
  bounced: 0,
  opened: 0,
  mailed: 0,
  not_mailed: 0,
  otherPlatforms: 0,
};

/** Counts rows by their column `step`. */
const COUNTS = `count(step)::int AS testers, ${ADOPTION_STEPS.map(
  (step) => `count(*) FILTER (WHERE step = '${step}')::int AS ${step}`,
).join(', ')}`;

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
  async countReleases(
    ctx: RequestContext,
    { organizationId, projectId }: ProjectScope,
    releases: readonly CurrentRelease[],
  ): Promise<ReadonlyMap<string, Counts>> {
    const counted = await rows<Counts & { readonly id: string }>(
      this.transactions.manager(ctx),
      `SELECT id, ${COUNTS}, (count(*) - count(step))::int AS "otherPlatforms" FROM (
         SELECT r.id, CASE WHEN ${isConcerned('r.platform')} THEN ${STEP_IN_RELEASE} END AS step
         FROM release r JOIN subscription s ON s.channel_id = r.channel_id JOIN tester ON tester.id = s.tester_id
         WHERE r.organization_id = $1 AND r.project_id = $2 AND r.id = ANY ($3::uuid[])
       ) AS subscriber GROUP BY id`,
      [organizationId, projectId, releases.map(({ releaseId }) => releaseId)],
    );
    return new Map(counted.map(({ id, ...counts }) => [id, counts]));
  }

  async countBuild(
    ctx: RequestContext,
    { organizationId, projectId }: ProjectScope,
    buildId: string,
  ): Promise<Adoption> {
    const { otherPlatforms: _, ...nobody } = NOBODY;
    const counted = await one<Adoption>(
      this.transactions.manager(ctx),
      `SELECT ${COUNTS} FROM (
         SELECT ${STEP_WITH_BUILD} AS step FROM build b JOIN tester ON tester.project_id = b.project_id
         WHERE b.organization_id = $1 AND b.project_id = $2 AND b.id = $3 AND ${IN_AUDIENCE_OF_BUILD}
       ) AS audience`,
      [organizationId, projectId, buildId],
    );
    return counted ?? nobody;
  }
}
