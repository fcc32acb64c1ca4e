import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { type Release } from '../release';

@Injectable()
export class ReleaseMailsRepository {
  constructor(private readonly transactions: Transactions) {}

  /**
   * Records that testers are mailed about a release. Deleted testers are skipped.
   * @returns the ids of the testers who were not mailed before. The caller mails only these, in the same transaction.
   */
  async claim(ctx: RequestContext, release: Release, testerIds: readonly string[]): Promise<ReadonlySet<string>> {
    const claimed = await rows<{ testerId: string }>(
      this.transactions.manager(ctx),
      `INSERT INTO release_mail (organization_id, project_id, release_id, tester_id, queued_at)
       SELECT organization_id, project_id, $1, id, $3 FROM tester WHERE id = ANY ($2::uuid[]) ORDER BY id FOR KEY SHARE
       ON CONFLICT DO NOTHING RETURNING tester_id AS "testerId"`,
      [release.id, testerIds, ctx.clock.now()],
    );
    return new Set(claimed.map(({ testerId }) => testerId));
  }
}
