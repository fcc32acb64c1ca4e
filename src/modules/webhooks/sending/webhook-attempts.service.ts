import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { Sealer } from '#infra/crypto/sealer';
import { Transactions } from '#infra/database/transactions';
import { Metrics } from '#infra/metrics/metrics';
import { DeliveriesRepository, type WebhookDeliveryEntity } from '../deliveries/deliveries.repository';
import { type WebhookEntity } from '../endpoints/webhooks.repository';
import { secretContext, urlContext } from '../webhook';
import { type Attempt, type Verdict, verdictOn, waitAfter } from './attempt';
import { SenderRepository } from './sender.repository';
import { signedHeaders } from './signature';
import { WebhookClient } from './webhook-client';
import { WebhookMessagesService } from './webhook-messages.service';
import { WebhookRetirementService } from './webhook-retirement.service';

interface AttemptOptions {
  readonly position: number;
  readonly signal: AbortSignal;
}

const BROKEN: Attempt = { status: null, error: 'internal', tookMs: 0, answer: null, retryAfterMs: null };

/** Makes attempts to deliver messages, and draws the consequences for their webhooks. */
@Injectable()
export class WebhookAttemptsService {
  constructor(
    private readonly sender: SenderRepository,
    private readonly deliveries: DeliveriesRepository,
    private readonly messages: WebhookMessagesService,
    private readonly client: WebhookClient,
    private readonly retirement: WebhookRetirementService,
    private readonly sealer: Sealer,
    private readonly transactions: Transactions,
    private readonly metrics: Metrics,
  ) {}

  /** Sends a message in its turn. The cursor moves in the transaction that records the outcome. */
  async make(
    ctx: RequestContext,
    webhook: WebhookEntity,
    delivery: WebhookDeliveryEntity,
    { position, signal }: AttemptOptions,
  ): Promise<void> {
    const attempt = await this.post(ctx, webhook, delivery, signal);
    const verdict = verdictOn(attempt);
    if (verdict === 'gone') return this.retire(ctx, webhook, delivery, attempt);
    const failures = verdict === 'sent' ? 0 : failuresBefore(webhook, verdict);
    const waitMs = verdict === 'sent' ? null : waitAfter(verdict, failures, attempt.retryAfterMs, Math.random());
    await this.transactions.run(ctx, async (tx) => {
      const state = verdict === 'sent' ? 'delivered' : waitMs === null ? 'failed' : 'pending';
      const postponed = { ...attempt, waitMs: waitMs ?? 0, failures: failures + 1 };
      const isExpired = await (waitMs === null
        ? this.sender.advance(tx, webhook.id, position, attempt)
        : this.sender.postpone(tx, webhook.id, position, postponed));
      // After the webhook, in the order in which a deletion locks the rows.
      await this.deliveries.record(tx, delivery.id, attempt, state);
      if (isExpired) await this.retirement.turnOff(tx, webhook, 'failing');
    });
  }

  /** Sends a message out of turn: a test, or one that a person sends again. */
  async makeOnce(
    ctx: RequestContext,
    webhook: WebhookEntity,
    delivery: WebhookDeliveryEntity,
    signal: AbortSignal,
  ): Promise<void> {
    const attempt = await this.post(ctx, webhook, delivery, signal);
    const state = verdictOn(attempt) === 'sent' ? 'delivered' : 'failed';
    await this.deliveries.record(ctx, delivery.id, attempt, state);
  }

  /** Parks an event that cannot be rendered. */
  async park(
    ctx: RequestContext,
    webhook: WebhookEntity,
    { id }: WebhookDeliveryEntity,
    position: number,
  ): Promise<void> {
    await this.transactions.run(ctx, async (tx) => {
      await this.sender.passTo(tx, webhook.id, position);
      await this.deliveries.record(tx, id, BROKEN, 'failed');
    });
  }

  private async retire(
    ctx: RequestContext,
    webhook: WebhookEntity,
    { id }: WebhookDeliveryEntity,
    attempt: Attempt,
  ): Promise<void> {
    await this.transactions.run(ctx, async (tx) => {
      await this.sender.answered(tx, webhook.id, attempt);
      await this.retirement.turnOff(tx, webhook, 'gone');
      await this.deliveries.record(tx, id, attempt, 'failed');
    });
  }

  private async post(
    ctx: RequestContext,
    webhook: WebhookEntity,
    delivery: WebhookDeliveryEntity,
    signal: AbortSignal,
  ): Promise<Attempt> {
    const body = this.messages.bodyOf(delivery);
    const timestamp = Math.floor(ctx.clock.now().getTime() / 1000);
    const headers = signedHeaders({ id: delivery.eventId, timestamp, body }, this.secretsOf(ctx, webhook));
    const url = this.sealer.open(webhook.urlSealed, urlContext(webhook.id)).toString();
    const attempt = await this.client.post({ url, headers, body }, signal);
    this.metrics.count('agate_webhook_attempts_total', { outcome: verdictOn(attempt) });
    this.metrics.observe('agate_webhook_attempt_duration_seconds', {}, attempt.tookMs / 1000);
    return attempt;
  }

  private secretsOf(ctx: RequestContext, webhook: WebhookEntity): string[] {
    const { id, secretSealed, oldSecretSealed, oldSecretUntil } = webhook;
    const isOldValid = oldSecretUntil !== null && oldSecretUntil > ctx.clock.now();
    const sealed = [secretSealed, ...(oldSecretSealed && isOldValid ? [oldSecretSealed] : [])];
    return sealed.map((secret) => this.sealer.open(secret, secretContext(id)).toString());
  }
}

/** The number of failures of the same kind in a row: a rejection of one event does not continue the waits for an endpoint. */
function failuresBefore({ attempt, lastStatus, lastError }: WebhookEntity, verdict: Verdict): number {
  return verdictOn({ status: lastStatus, error: lastError }) === verdict ? attempt : 0;
}
