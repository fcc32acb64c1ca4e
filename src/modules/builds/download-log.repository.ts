import { Injectable } from '@nestjs/common';
import { LessThan } from 'typeorm';
import { type RequestContext } from '#kernel/context/request-context';
import { decodeCursor, type ListName, type Page, pageOf, type PageRequest } from '#kernel/paging/cursor';
import { type ProjectScope } from '#kernel/scope/scope';
import { Transactions } from '#platform/database/transactions';
import { BuildDownloadEntity } from './build-download.entity';

@Injectable()
export class DownloadLogRepository {
  constructor(private readonly transactions: Transactions) {}

  /** One page of a build's log, newest first. */
  async page(
    ctx: RequestContext,
    { organizationId, projectId }: ProjectScope,
    buildId: string,
    { limit, cursor }: PageRequest,
  ): Promise<Page<BuildDownloadEntity>> {
    const list: ListName = `build-downloads|${buildId}`;
    const before = decodeCursor(cursor, list);
    const rows = await this.transactions
      .manager(ctx)
      .getRepository(BuildDownloadEntity)
      .find({
        where: { organizationId, projectId, buildId, ...(before && { id: LessThan(before) }) },
        order: { id: 'DESC' },
        take: limit + 1,
      });
    return pageOf(rows, limit, list);
  }
}
