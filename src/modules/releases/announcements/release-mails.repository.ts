import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { Transactions } from '#infra/database/transactions';
import { type Release } from '../release';

@Injectable()
export class ReleaseMailsRepository {
  constructor(private readonly transactions: Transactions) {}

  /**
   * Notes that testers are told of a release. Those who are gone meanwhile are passed over.
   * @returns those who were not told before: who mails just these, in the same transaction, mails each once.
   */
  async claim(ctx: RequestContext, release: Release, testerIds: readonly string[]): Promise<ReadonlySet<string>> {
    const rows: { tester_id: string }[] = await this.transactions.manager(ctx).query(
      `INSERT INTO release_mail (organization_id, project_id, release_id, tester_id, queued_at)
       SELECT organization_id, project_id, $1, id, $3 FROM tester WHERE id = ANY ($2::uuid[]) ORDER BY id FOR KEY SHARE
       ON CONFLICT DO NOTHING RETURNING tester_id`,
      [release.id, testerIds, ctx.clock.now()],
    );
    return new Set(rows.map((row) => row.tester_id));
  }
}
