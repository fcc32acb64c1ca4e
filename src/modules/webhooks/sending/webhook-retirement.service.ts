import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { Transactions } from '#infra/database/transactions';
import { Metrics } from '#infra/metrics/metrics';
import { type WebhookEntity, WebhooksRepository } from '../endpoints/webhooks.repository';
import { type OffReason } from '../webhook';
import { WebhookMailsService } from './webhook-mails.service';

/** Turns webhooks off that cannot go on. */
@Injectable()
export class WebhookRetirementService {
  constructor(
    private readonly webhooks: WebhooksRepository,
    private readonly mails: WebhookMailsService,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
    private readonly metrics: Metrics,
  ) {}

  /** Turns a webhook off, and mails its creator and the ADMINs. */
  async turnOff(ctx: RequestContext, webhook: WebhookEntity, reason: OffReason): Promise<void> {
    const { id, organizationId, projectId, name } = webhook;
    const isNew = await this.transactions.run(ctx, async (tx) => {
      if (!(await this.webhooks.turnOff(tx, id, reason))) return false;
      const payload = { webhook_id: id, name, reason };
      await this.audit.record(tx, { type: 'webhook.turned_off', organizationId, projectId, payload });
      await this.mails.turnedOff(tx, webhook, reason);
      return true;
    });
    if (isNew) this.metrics.count('agate_webhooks_turned_off_total', { reason });
  }
}
