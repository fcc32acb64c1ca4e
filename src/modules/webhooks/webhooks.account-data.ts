import { Injectable } from '@nestjs/common';
import { type AccountErasure, type ExportedFiles, exportedTable } from '#kernel/account-data';
import { type RequestContext } from '#kernel/context/request-context';
import { rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';

export const WEBHOOKS_FILES: ExportedFiles = {
  organization: [
    exportedTable('webhooks', 'Webhooks, without their addresses and secrets.', {
      from: 'webhook',
      columns:
        'id, organization_id, project_id, name, host, format, types, filter, include_links, state, off_reason, failing_since, last_status, last_error, last_at, created_by, created_at',
      where: 'organization_id = $1',
      key: ['id'],
    }),
  ],
  developer: [
    exportedTable('webhooks_made', 'Webhooks that they created, without their addresses and secrets.', {
      from: 'webhook',
      columns: 'id, organization_id, project_id, name, created_at',
      where: 'created_by = $1',
    }),
  ],
};

@Injectable()
export class WebhooksErasure implements AccountErasure {
  constructor(private readonly transactions: Transactions) {}

  /** Nothing about the organization is sent any longer. */
  async endAccess(tx: RequestContext, organizationId: string): Promise<void> {
    await rows(this.transactions.manager(tx), 'DELETE FROM webhook WHERE organization_id = $1', [organizationId]);
  }
}
