import { Injectable, type OnModuleInit } from '@nestjs/common';
import { scopesReveal } from '#kernel/audit/change';
import { developerOf, type RequestContext } from '#kernel/context/request-context';
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
import { DOWNLOADS_COUNTED } from '../webhook';
import {
  DeliveriesRepository,
  type DeliveryState,
  type ListedDelivery,
  type WebhookDeliveryEntity,
} from './deliveries.repository';
import { hasLinks, withoutLinks } from './shown-body';

interface SendOncePayload {
  readonly organizationId: string;
  readonly deliveryId: string;
  /** When a person requested it, in ISO 8601. Absent in jobs of an earlier version. */
  readonly requestedAt?: string;
}

/**
 * The time within which a test or redelivery begins. Other webhooks may occupy all slots of the class `network`; a message that comes much
 * later would surprise the person, who gets an answer instead.
 */
const MAX_WAIT_MS = 120_000;

/** A process that dies may have sent it. It is sent again then, as every message. */
const SEND_ONCE = defineJob<SendOncePayload>('webhooks.send-once', { jobClass: 'network', maxAttempts: 3 });

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
  ): Promise<Page<ListedDelivery>> {
    await this.access.get(ctx, organizationId, webhookId);
    return this.repository.list(ctx, webhookId, state, request);
  }

  /** @throws AppError not_found; permission_denied for a token that may not read the objects of the event elsewhere. */
  async get(ctx: RequestContext, organizationId: string, id: string): Promise<ShownDelivery> {
    const { delivery } = await this.require(ctx, organizationId, id);
    const identity = developerOf(ctx);
    if (identity.kind === 'pat' && !scopesReveal(identity.scopes, delivery.eventType))
      throw new AppError('permission_denied');
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
      await this.enqueue(tx, 'test', delivery);
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
      if (isInTurn(webhook, delivery)) await this.webhooks.hurry(tx, webhook.id, isWaitingCount(delivery));
      else await this.enqueue(tx, 'redelivery', delivery);
      return delivery;
    });
  }

  /** One of a kind and organization runs at a time, so that an organization cannot occupy the slots. */
  private async enqueue(
    tx: RequestContext,
    kind: 'test' | 'redelivery',
    { organizationId, id }: WebhookDeliveryEntity,
  ): Promise<void> {
    const payload = { organizationId, deliveryId: id, requestedAt: tx.clock.now().toISOString() };
    const queue = `webhook-${kind}|${organizationId}`;
    await this.jobs.enqueue(tx, SEND_ONCE, payload, { key: id, replaces: true, queue });
  }

  private async sendOnce(
    ctx: RequestContext,
    { organizationId, deliveryId, requestedAt }: SendOncePayload,
    { signal }: JobRun,
  ): Promise<void> {
    const delivery = await this.repository.find(ctx, organizationId, deliveryId);
    const webhook = delivery && (await this.webhooks.find(ctx, organizationId, delivery.webhookId));
    if (!delivery || !webhook) return;
    if (!(await this.creators.find(ctx, webhook))) return this.repository.giveUp(ctx, deliveryId, null);
    const waitedMs = requestedAt === undefined ? 0 : ctx.clock.now().getTime() - Date.parse(requestedAt);
    if (waitedMs > MAX_WAIT_MS) return this.repository.giveUp(ctx, deliveryId, 'busy');
    await this.attempts.makeOnce(ctx, webhook, delivery, signal);
    await this.repository.trim(ctx, webhook.id);
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

/** Whether the sender will send the message, so that nobody else may: it would come out of its order. */
const isInTurn = ({ state, cursor }: WebhookRow, delivery: WebhookDeliveryEntity): boolean =>
  state === 'on' && (isWaitingCount(delivery) || BigInt(delivery.position ?? 0) > BigInt(cursor));

const isWaitingCount = ({ eventType, state }: WebhookDeliveryEntity): boolean =>
  eventType === DOWNLOADS_COUNTED && state === 'pending';

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
