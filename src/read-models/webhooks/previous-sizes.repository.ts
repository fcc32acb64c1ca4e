import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { one } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { LIVE } from '#modules/builds';

/** The builds of the platform among which the last one of the app is searched. */
const RECENT_BUILDS = 500;

/** The platform is part of the order, so that a first build for a platform is not compared with all builds of the project. */
const BEFORE_UPLOAD = `
  SELECT recent.size_bytes AS size FROM build b CROSS JOIN LATERAL (
    SELECT id, size_bytes, artifact FROM build
    WHERE organization_id = $1 AND project_id = $2 AND platform BETWEEN b.platform AND b.platform AND id < b.id AND ${LIVE}
    ORDER BY platform DESC, id DESC LIMIT ${RECENT_BUILDS}) recent
  WHERE b.organization_id = $1 AND b.project_id = $2 AND b.id = $3
    AND recent.artifact->>'bundleId' IS NOT DISTINCT FROM b.artifact->>'bundleId'
  ORDER BY recent.id DESC LIMIT 1`;

const BEFORE_RELEASE = `
  SELECT b.size_bytes AS size FROM release r
  JOIN release before ON before.channel_id = r.channel_id AND before.platform = r.platform AND before.sequence < r.sequence
  JOIN build b ON b.id = before.build_id
  WHERE r.organization_id = $1 AND r.project_id = $2 AND r.id = $3
  ORDER BY before.sequence DESC LIMIT 1`;

/** Reads the sizes with which messages compare a build, in bytes; null when there is no earlier build. */
@Injectable()
export class PreviousSizesRepository {
  constructor(private readonly transactions: Transactions) {}

  /** The size of the build of the same app and platform that was uploaded before. */
  beforeUpload(ctx: RequestContext, scope: ProjectScope, buildId: string): Promise<number | null> {
    return this.find(ctx, BEFORE_UPLOAD, scope, buildId);
  }

  /** The size of the build that the channel had before a release, for the same platform. */
  beforeRelease(ctx: RequestContext, scope: ProjectScope, releaseId: string): Promise<number | null> {
    return this.find(ctx, BEFORE_RELEASE, scope, releaseId);
  }

  private async find(
    ctx: RequestContext,
    sql: string,
    { organizationId, projectId }: ProjectScope,
    id: string,
  ): Promise<number | null> {
    const found = await one<{ size: string }>(this.transactions.manager(ctx), sql, [organizationId, projectId, id]);
    return found && Number(found.size);
  }
}
