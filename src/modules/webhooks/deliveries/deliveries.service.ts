import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type Page, type PageRequest } from '#kernel/cursor';
import { AppError } from '#kernel/errors/app-error';
import { Transactions } from '#infra/database/transactions';
import { defineJob, type JobRun } from '#infra/jobs/job-kind';
import { Jobs } from '#infra/jobs/jobs';
import { WebhookAccessService } from '../endpoints/webhook-access.service';
import { type WebhookRow, WebhooksRepository } from '../endpoints/webhooks.repository';
import { WebhookAttemptsService } from '../sending/webhook-attempts.service';
import { isVisible, WebhookCreatorsService } from '../sending/webhook-creators.service';
import { WebhookMessagesService } from '../sending/webhook-messages.service';
import { WebhookSubjects } from '../sending/webhook-subjects';
import { DeliveriesRepository, type DeliveryState, type WebhookDeliveryEntity } from './deliveries.repository';
import { hasLinks, withoutLinks } from './shown-body';

interface SendOncePayload {
  readonly organizationId: string;
  readonly deliveryId: string;
}

/** A process that dies may have sent it. It is sent again then, as every message. */
const SEND_ONCE = defineJob<SendOncePayload>('webhooks.send-once', { jobClass: 'network', maxAttempts: 3 });

/**
 * Jobs of one organization run one after another, tests beside redeliveries: a member who redelivers a thousand messages to a slow endpoint
 * takes one slot from the webhooks of all organizations, and waits for it.
 */
const queueOf = (organizationId: string, kind: 'tests' | 'redeliveries'): string => `webhook-${kind}|${organizationId}`;

/** A delivery with its body, without install links. */
export type ShownDelivery = WebhookDeliveryEntity & { readonly body: string };

/** Shows what was sent, and sends messages out of turn. Requests never wait for an endpoint: jobs send. */
@Injectable()
export class DeliveriesService implements OnModuleInit {
  constructor(
    private readonly repository: DeliveriesRepository,
    private readonly webhooks: WebhooksRepository,
    private readonly access: WebhookAccessService,
    private readonly creators: WebhookCreatorsService,
    private readonly subjects: WebhookSubjects,
    private readonly messages: WebhookMessagesService,
    private readonly attempts: WebhookAttemptsService,
    private readonly transactions: Transactions,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.jobs.register(SEND_ONCE, (ctx, payload, job) => this.sendOnce(ctx, payload, job));
  }

  /** @throws AppError not_found */
  async list(
    ctx: RequestContext,
    organizationId: string,
    webhookId: string,
    state: DeliveryState | undefined,
    request: PageRequest,
  ): Promise<Page<WebhookDeliveryEntity>> {
    await this.access.get(ctx, organizationId, webhookId);
    return this.repository.list(ctx, webhookId, state, request);
  }

  /** @throws AppError not_found */
  async get(ctx: RequestContext, organizationId: string, id: string): Promise<ShownDelivery> {
    const { delivery } = await this.require(ctx, organizationId, id);
    return { ...delivery, body: withoutLinks(this.messages.bodyOf(delivery).toString()) };
  }

  /**
   * Sends a test soon: the newest event of a type, or a greeting.
   * @throws AppError not_found; operation_not_allowed when there is no such event, or the creator may no longer have the webhook.
   */
  async test(
    ctx: RequestContext,
    organizationId: string,
    webhookId: string,
    type: string | undefined,
  ): Promise<WebhookDeliveryEntity> {
    return this.transactions.run(ctx, async (tx) => {
      const webhook = await this.access.get(tx, organizationId, webhookId);
      const viewer = await this.requireCreator(tx, webhook);
      const { projectId } = webhook;
      const newest = type === undefined ? null : await this.subjects.newest(tx, organizationId, projectId, type);
      if (type !== undefined && !(newest && isVisible(webhook, viewer, newest))) throw noEvent(type);
      const delivery = await this.messages.ofTest(tx, webhook, viewer, newest);
      const payload = { organizationId, deliveryId: delivery.id };
      await this.jobs.enqueue(tx, SEND_ONCE, payload, { queue: queueOf(organizationId, 'tests') });
      return delivery;
    });
  }

  /**
   * Sends a message again soon, with the same id and body. One that is in its turn is tried now.
   * @throws AppError not_found; operation_not_allowed when the creator may no longer have the webhook, and when the message has install links
   * that the webhook no longer sends.
   */
  async redeliver(ctx: RequestContext, organizationId: string, id: string): Promise<WebhookDeliveryEntity> {
    return this.transactions.run(ctx, async (tx) => {
      const { delivery, webhook } = await this.require(tx, organizationId, id);
      await this.requireCreator(tx, webhook);
      if (!webhook.includeLinks && hasLinks(this.messages.bodyOf(delivery).toString())) throw linksOff();
      const isInTurn = webhook.state === 'on' && BigInt(delivery.position ?? 0) > BigInt(webhook.cursor);
      const options = { key: id, queue: queueOf(organizationId, 'redeliveries') };
      if (isInTurn) await this.webhooks.hurry(tx, webhook.id);
      else await this.jobs.enqueue(tx, SEND_ONCE, { organizationId, deliveryId: id }, options);
      return delivery;
    });
  }

  private async sendOnce(
    ctx: RequestContext,
    { organizationId, deliveryId }: SendOncePayload,
    { signal }: JobRun,
  ): Promise<void> {
    const delivery = await this.repository.find(ctx, organizationId, deliveryId);
    const webhook = delivery && (await this.webhooks.find(ctx, organizationId, delivery.webhookId));
    if (!delivery || !webhook) return;
    if (await this.creators.find(ctx, webhook)) await this.attempts.makeOnce(ctx, webhook, delivery, signal);
    else await this.repository.setState(ctx, deliveryId, 'failed');
  }

  private async require(
    ctx: RequestContext,
    organizationId: string,
    id: string,
  ): Promise<{ readonly delivery: WebhookDeliveryEntity; readonly webhook: WebhookRow }> {
    const delivery = await this.repository.find(ctx, organizationId, id);
    if (!delivery) throw AppError.notFound('webhook delivery');
    return { delivery, webhook: await this.access.get(ctx, organizationId, delivery.webhookId) };
  }

  private async requireCreator(ctx: RequestContext, webhook: WebhookRow) {
    const viewer = await this.creators.find(ctx, webhook);
    if (viewer) return viewer;
    const message = 'The creator of the webhook may no longer have it. Resume the webhook to take it over.';
    throw new AppError('operation_not_allowed', { message, details: { reason: 'webhook_creator_lost_access' } });
  }
}

const noEvent = (type: string): AppError =>
  new AppError('operation_not_allowed', {
    message: `There is no event of the type ${type} yet. Send a test without a type.`,
    details: { reason: 'webhook_no_event' },
  });

const linksOff = (): AppError =>
  new AppError('operation_not_allowed', {
    message: 'The message has install links, which the webhook no longer sends.',
    details: { reason: 'webhook_links_off' },
  });
