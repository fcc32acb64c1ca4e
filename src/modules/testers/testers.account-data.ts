import { Injectable } from '@nestjs/common';
import { type AccountErasure, type ExportedFiles, exportedTable, type OrganizationSize } from '#kernel/account-data';
import { type RequestContext } from '#kernel/context/request-context';
import { changed, one } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';

const OWN = 'organization_id = $1';

export const TESTERS_FILES: ExportedFiles = {
  organization: [
    exportedTable('testers', 'The testers.', {
      from: 'tester',
      columns:
        'id, project_id, email, name, platforms, mail_platforms, invited_at, opened_at, unopened_mails, bounced_at, bounce_code, created_at',
      where: OWN,
    }),
    {
      name: 'subscriptions',
      describe: 'Subscriptions of testers to channels.',
      tables: ['subscription', 'tester'],
      sql: `SELECT s.project_id, s.channel_id, s.tester_id, s.created_at, s.recent_mails, s.invited_at FROM tester t
        JOIN subscription s ON s.tester_id = t.id WHERE t.organization_id = $1`,
      key: ['s.tester_id', 's.channel_id'],
      parent: 't.id',
    },
    exportedTable('tester_mail_days', 'How many mails to testers were queued for each of the last days.', {
      from: 'tester_mail_day',
      columns: 'day, mails, told_at',
      where: OWN,
      key: ['day'],
    }),
    exportedTable(
      'suppressions',
      'Unsubscriptions by testers. The address is kept as a digest, which is not exported.',
      {
        from: 'suppression',
        columns: 'id, project_id, channel_id, created_at',
        where: OWN,
      },
    ),
  ],
};

/** A transaction deletes at most this many testers, so that the locks on their rows are short. */
const BATCH_SIZE = 500;

@Injectable()
export class TestersErasure implements AccountErasure {
  readonly batches = {
    of: 'testers',
    erase: (tx: RequestContext, organizationId: string) => this.eraseBatch(tx, organizationId),
  } as const;

  constructor(private readonly transactions: Transactions) {}

  async measure(ctx: RequestContext, organizationId: string): Promise<Partial<OrganizationSize>> {
    const sql = `SELECT count(*)::int AS testers FROM tester WHERE ${OWN}`;
    return (await one<{ testers: number }>(this.transactions.manager(ctx), sql, [organizationId])) ?? {};
  }

  private eraseBatch(tx: RequestContext, organizationId: string): Promise<number> {
    return changed(
      this.transactions.manager(tx),
      `DELETE FROM tester WHERE id IN (SELECT id FROM tester WHERE ${OWN} LIMIT $2)`,
      [organizationId, BATCH_SIZE],
    );
  }
}
