import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { decodeCursor, type ListName, type Page, pageOf, type PageRequest } from '#kernel/cursor';
import { rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { DownloadViews, isLive, type TesterDownload } from '#modules/builds';

/** A row of the log with the names of its tester and build. */
interface DownloadRow extends Omit<TesterDownload, 'servedBytes' | 'mintedBy' | 'tester'> {
  readonly servedBytes: string | null;
  readonly mintedByKind: string;
  readonly mintedById: string | null;
  /** Null for anonymous downloads, for testers without a name and after the tester was erased. */
  readonly testerName: string | null;
  readonly testerEmail: string | null;
}

/** The object whose downloads are listed. */
interface Subject {
  readonly column: 'd.build_id' | 'd.tester_id';
  readonly id: string;
  readonly list: ListName;
}

@Injectable()
export class DownloadViewsRepository extends DownloadViews {
  constructor(private readonly transactions: Transactions) {
    super();
  }

  listOfBuild(
    ctx: RequestContext,
    scope: ProjectScope,
    id: string,
    request: PageRequest,
  ): Promise<Page<TesterDownload>> {
    return this.list(ctx, scope, { column: 'd.build_id', id, list: `build-downloads|${id}` }, request);
  }

  listOfTester(
    ctx: RequestContext,
    scope: ProjectScope,
    id: string,
    request: PageRequest,
  ): Promise<Page<TesterDownload>> {
    return this.list(ctx, scope, { column: 'd.tester_id', id, list: `tester-downloads|${id}` }, request);
  }

  private async list(
    ctx: RequestContext,
    { organizationId, projectId }: ProjectScope,
    { column, id, list }: Subject,
    { limit, cursor }: PageRequest,
  ): Promise<Page<TesterDownload>> {
    const found = await rows<DownloadRow>(
      this.transactions.manager(ctx),
      `SELECT d.id, d.build_id AS "buildId", d.started_at AS "startedAt", d.completed_at AS "completedAt",
              d.served_bytes AS "servedBytes", d.device_family AS "deviceFamily", d.tester_id AS "testerId",
              d.channel_id AS "channelId", d.minted_by_kind AS "mintedByKind", d.minted_by_id AS "mintedById",
              t.name AS "testerName", t.email AS "testerEmail",
              b.version, b.build_number AS "buildNumber", b.platform
       FROM build_download d JOIN build b ON b.id = d.build_id AND ${isLive('b')}
       LEFT JOIN tester t ON t.id = d.tester_id AND t.project_id = d.project_id
       WHERE d.organization_id = $1 AND d.project_id = $2 AND ${column} = $3 AND ($4::uuid IS NULL OR d.id < $4)
       ORDER BY d.id DESC LIMIT $5`,
      [organizationId, projectId, id, decodeCursor(cursor, list), limit + 1],
    );
    return pageOf(found.map(toTesterDownload), limit, list);
  }
}

const toTesterDownload = (row: DownloadRow): TesterDownload => ({
  id: row.id,
  buildId: row.buildId,
  startedAt: row.startedAt,
  completedAt: row.completedAt,
  servedBytes: row.servedBytes === null ? null : Number(row.servedBytes),
  deviceFamily: row.deviceFamily,
  testerId: row.testerId,
  channelId: row.channelId,
  tester: row.testerId === null ? null : { id: row.testerId, name: row.testerName, email: row.testerEmail },
  mintedBy: { kind: row.mintedByKind, id: row.mintedById, label: null },
  version: row.version,
  buildNumber: row.buildNumber,
  platform: row.platform,
});
