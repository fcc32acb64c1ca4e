import { Injectable } from '@nestjs/common';
import { type Viewer } from '#kernel/audit/change';
import { type RequestContext } from '#kernel/context/request-context';
import { Transactions } from '#infra/database/transactions';
import { DeliveriesRepository, type WebhookDeliveryEntity } from '../deliveries/deliveries.repository';
import { type WebhookEntity } from '../endpoints/webhooks.repository';
import { passes, restricts } from '../sending/event-filter';
import { WebhookAttemptsService } from '../sending/webhook-attempts.service';
import { WebhookCreatorsService } from '../sending/webhook-creators.service';
import { WebhookMessagesService } from '../sending/webhook-messages.service';
import { WebhookRetirementService } from '../sending/webhook-retirement.service';
import { WebhookSubjects } from '../sending/webhook-subjects';
import { DOWNLOADS_COUNTED, type SentChange } from '../webhook';
import { type DownloadCount, DownloadCountsRepository } from './download-counts.repository';

/** The maximum number of builds that the filter excludes in one turn. */
const MAX_EXCLUDED = 100;

/**
 * Sends how often builds were downloaded: at most one message a minute and webhook, each about one build. Downloads are no audit events, so
 * webhooks follow them with a cursor of their own, which is a time. Counts of builds wait in a table, one row for each build, so that a
 * message is late rather than lost when several builds were downloaded in a minute.
 */
@Injectable()
export class DownloadCountsService {
  constructor(
    private readonly counts: DownloadCountsRepository,
    private readonly deliveries: DeliveriesRepository,
    private readonly creators: WebhookCreatorsService,
    private readonly subjects: WebhookSubjects,
    private readonly messages: WebhookMessagesService,
    private readonly attempts: WebhookAttemptsService,
    private readonly retirement: WebhookRetirementService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Sends the message that failed before, or the next one. The caller is the only sender of the webhook.
   * @returns whether it sent one.
   */
  async send(ctx: RequestContext, webhook: WebhookEntity, signal: AbortSignal): Promise<boolean> {
    // Who may have a webhook may see the builds that it counts.
    const viewer = await this.creators.find(ctx, webhook);
    if (!viewer) {
      await this.retirement.turnOff(ctx, webhook, 'creator_lost_access');
      return false;
    }
    const failed = await this.deliveries.findPending(ctx, webhook.id, DOWNLOADS_COUNTED);
    const delivery = failed ?? (await this.write(ctx, webhook, viewer));
    if (delivery) await this.attempts.makeCount(ctx, webhook, delivery, signal);
    else await this.counts.wait(ctx, webhook.id);
    return delivery !== null;
  }

  /** Writes the next message. Null when no download was counted. */
  private write(ctx: RequestContext, webhook: WebhookEntity, viewer: Viewer): Promise<WebhookDeliveryEntity | null> {
    return this.transactions.run(ctx, async (tx) => {
      const time = await this.counts.take(tx, webhook.id);
      if (!time) return null;
      await this.counts.add(tx, webhook, await this.subjects.downloads(tx, webhook, time), time);
      for (let excluded = 0; excluded < MAX_EXCLUDED; excluded += 1) {
        const count = await this.counts.removeOldest(tx, webhook.id);
        if (!count) return null;
        const change = changeOf(tx, webhook, count);
        const delivery = (await this.wants(tx, webhook, change))
          ? await this.messages.ofCount(tx, webhook, viewer, change)
          : null;
        if (delivery) return delivery;
      }
      return null;
    });
  }

  private async wants(
    tx: RequestContext,
    { organizationId, filter }: WebhookEntity,
    change: SentChange,
  ): Promise<boolean> {
    return !restricts(filter) || passes(filter, await this.subjects.traitsOf(tx, organizationId, change));
  }
}

const changeOf = (ctx: RequestContext, { cursor }: WebhookEntity, count: DownloadCount): SentChange => ({
  id: '',
  type: DOWNLOADS_COUNTED,
  position: Number(cursor),
  time: ctx.clock.now(),
  projectId: count.projectId,
  actorKind: 'system',
  actorId: null,
  actorLabel: null,
  payload: {
    build_id: count.buildId,
    count: count.count,
    since: count.since.toISOString(),
    until: count.until.toISOString(),
  },
});
