import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { one } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { isLive } from '../catalogue/live-builds';

/** The icon of a build's app. */
export interface Icon {
  readonly mediaType: string;
  readonly data: Buffer;
}

@Injectable()
export class BuildIconsRepository {
  constructor(private readonly transactions: Transactions) {}

  /** Null when the build has no icon or does not exist. The caller has checked that the requester may see it. */
  find(ctx: RequestContext, buildId: string): Promise<Icon | null> {
    return one<Icon>(
      this.transactions.manager(ctx),
      `SELECT b.icon_media_type AS "mediaType", i.data FROM build b JOIN build_icon i ON i.build_id = b.id
       WHERE b.id = $1 AND ${isLive('b')}`,
      [buildId],
    );
  }

  /** Whether the build has an icon of this type and at most this size, without reading it. */
  async hasSmall(ctx: RequestContext, buildId: string, mediaType: string, maxBytes: number): Promise<boolean> {
    const found = await one(
      this.transactions.manager(ctx),
      `SELECT 1 FROM build b JOIN build_icon i ON i.build_id = b.id
       WHERE b.id = $1 AND ${isLive('b')} AND b.icon_media_type = $2 AND octet_length(i.data) <= $3`,
      [buildId, mediaType, maxBytes],
    );
    return found !== null;
  }
}
