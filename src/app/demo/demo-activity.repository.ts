import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { newId } from '#kernel/ids';
import { rows } from '#infra/database/sql';
import { type Transactions } from '#infra/database/transactions';

/** A download that a tester started. */
export interface DemoDownload {
  readonly buildId: string;
  readonly testerId: string;
  readonly channelId: string | null;
  readonly device: string;
  readonly startedAt: Date;
}

/** Inserts the activity of testers directly: no route can, because a download takes place when its bytes are requested. */
export class DemoActivityRepository {
  constructor(private readonly transactions: Transactions) {}

  /** Inserts downloads, the oldest first, and adds them to the counters of their builds. */
  async insertDownloads(ctx: RequestContext, scope: ProjectScope, downloads: readonly DemoDownload[]): Promise<void> {
    const ordered = [...downloads].sort((one, other) => one.startedAt.getTime() - other.startedAt.getTime());
    const column = <T>(read: (download: DemoDownload) => T): T[] => ordered.map(read);
    await rows(
      this.transactions.manager(ctx),
      `WITH logged AS (
         INSERT INTO build_download (id, organization_id, project_id, build_id, ticket_id, minted_by_kind, tester_id, channel_id,
                                     device_family, started_at, completed_at, served_bytes)
         SELECT d.id, $1, $2, d.build_id, d.ticket_id, 'invite', d.tester_id, d.channel_id, d.device, d.started_at,
                d.started_at + interval '4 seconds', b.size_bytes
         FROM unnest($3::uuid[], $4::uuid[], $5::uuid[], $6::uuid[], $7::uuid[], $8::text[], $9::timestamptz[])
           AS d (id, build_id, ticket_id, tester_id, channel_id, device, started_at)
         JOIN build b ON b.id = d.build_id
         RETURNING build_id, tester_id
       )
       UPDATE build b SET downloads_total = l.total, downloads_unique_testers = l.testers
       FROM (SELECT build_id, count(*) AS total, count(DISTINCT tester_id) AS testers FROM logged GROUP BY build_id) l
       WHERE b.id = l.build_id`,
      [
        scope.organizationId,
        scope.projectId,
        column(() => newId()),
        column(({ buildId }) => buildId),
        column(() => newId()),
        column(({ testerId }) => testerId),
        column(({ channelId }) => channelId),
        column(({ device }) => device),
        column(({ startedAt }) => startedAt),
      ],
    );
  }

  /** Renames the app in the metadata of a project's builds, because all packages of the demo contain one name. */
  async nameApps(ctx: RequestContext, { projectId }: ProjectScope, name: string): Promise<void> {
    await rows(
      this.transactions.manager(ctx),
      `UPDATE build SET artifact = jsonb_set(artifact, '{name}', to_jsonb($2::text)) WHERE project_id = $1 AND artifact ->> 'name' IS NOT NULL`,
      [projectId, name],
    );
  }

  /** Sets when a tester was mailed a link, and when they opened it. Null for not yet. */
  async setReach(ctx: RequestContext, testerId: string, invitedAt: Date | null, openedAt: Date | null): Promise<void> {
    await rows(this.transactions.manager(ctx), 'UPDATE tester SET invited_at = $2, opened_at = $3 WHERE id = $1', [
      testerId,
      invitedAt,
      openedAt,
    ]);
  }
}
