import { Injectable } from '@nestjs/common';
import { type AccountErasure, type ExportedFiles, exportedTable } from '#kernel/account-data';
import { type RequestContext } from '#kernel/context/request-context';
import { rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';

const OWN = 'organization_id = $1';

export const CHANNELS_FILES: ExportedFiles = {
  organization: [
    exportedTable('channels', 'The channels.', {
      from: 'channel',
      columns: 'id, project_id, name, last_sequence, created_at',
      where: OWN,
    }),
    exportedTable('branch_channels', 'The channels that uploads of a branch made.', {
      from: 'branch_channel',
      columns: 'channel_id, project_id, branch, days, last_sequence, ends_at',
      where: OWN,
      key: ['channel_id'],
    }),
  ],
};

@Injectable()
export class ChannelsErasure implements AccountErasure {
  constructor(private readonly transactions: Transactions) {}

  /** Foreign keys delete the install links and subscriptions together with the channel. */
  async eraseRest(tx: RequestContext, organizationId: string): Promise<void> {
    await rows(this.transactions.manager(tx), `DELETE FROM channel WHERE ${OWN}`, [organizationId]);
  }
}
