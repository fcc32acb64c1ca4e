import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { one } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { type OpenedKey } from '../current/current-build';

/**
 * The maximum number of builds that are searched for the key of a whole project, newest first: an app reports an installation at its next
 * start.
 */
const SEARCHED_BUILDS = 100;

/** Finds builds by the number that App Center SDKs report. Reads `release` and `build`, of lower modules. */
@Injectable()
export class InstallationsRepository {
  constructor(private readonly transactions: Transactions) {}

  /**
   * The build that a key returned with this number (`releaseNumberOf`): for a channel the number of the release, for a project the second
   * of the upload. Null when there is none.
   */
  async findBuildId(
    ctx: RequestContext,
    { projectId, channelId, platform }: OpenedKey,
    number: number,
  ): Promise<string | null> {
    const found = await one<{ id: string }>(
      this.transactions.manager(ctx),
      channelId === null
        ? `SELECT id FROM (
             SELECT id, uploaded_at FROM build WHERE project_id = $1 AND platform = $2
             ORDER BY id DESC LIMIT ${SEARCHED_BUILDS}
           ) newest
           WHERE floor(extract(epoch FROM uploaded_at)) = $3 ORDER BY id DESC LIMIT 1`
        : `SELECT build_id AS id FROM release WHERE channel_id = $1 AND platform = $2 AND sequence = $3`,
      [channelId ?? projectId, platform, number],
    );
    return found?.id ?? null;
  }
}
