import { Injectable } from '@nestjs/common';
import { type DeviceFamily } from '#kernel/builds/device';
import { type Platform } from '#kernel/builds/platform';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { type DayRange, type DownloadCounts } from './daily-downloads';

export interface DownloadFilter {
  readonly buildId?: string | undefined;
  readonly channelId?: string | undefined;
}

/** One group: all downloads without a day, those of a day, or those of a day and of either a kind of device or a platform. */
export interface DownloadGroup extends DownloadCounts {
  readonly day: string | null;
  readonly deviceFamily: DeviceFamily | null;
  readonly platform: Platform | null;
}

@Injectable()
export class DailyDownloadsRepository {
  constructor(private readonly transactions: Transactions) {}

  /** Counts the downloads of a range of days, largest groups first. Groups without downloads are missing. */
  count(
    ctx: RequestContext,
    { organizationId, projectId }: ProjectScope,
    { from, to }: DayRange,
    { buildId, channelId }: DownloadFilter,
  ): Promise<readonly DownloadGroup[]> {
    return rows<DownloadGroup>(
      this.transactions.manager(ctx),
      `WITH download AS (
         SELECT (d.started_at AT TIME ZONE 'UTC')::date::text AS day, d.device_family, b.platform, d.tester_id
         FROM build_download d JOIN build b ON b.id = d.build_id
         WHERE d.organization_id = $1 AND d.project_id = $2
           AND d.started_at >= $3::date::timestamp AT TIME ZONE 'UTC'
           AND d.started_at < ($4::date + 1)::timestamp AT TIME ZONE 'UTC'
           AND ($5::uuid IS NULL OR d.build_id = $5) AND ($6::uuid IS NULL OR d.channel_id = $6)
       )
       SELECT day, device_family AS "deviceFamily", platform,
              count(*)::int AS downloads, count(DISTINCT tester_id)::int AS testers
       FROM download GROUP BY GROUPING SETS ((), (day), (day, device_family), (day, platform))
       ORDER BY downloads DESC, device_family, platform`,
      [organizationId, projectId, from, to, buildId ?? null, channelId ?? null],
    );
  }
}
