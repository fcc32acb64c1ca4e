import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { Sealer } from '#infra/crypto/sealer';
import { Transactions } from '#infra/database/transactions';
import { Metrics } from '#infra/metrics/metrics';
import {
  DeliveriesRepository,
  type DeliveryState,
  type WebhookDeliveryEntity,
} from '../deliveries/deliveries.repository';
import { withoutLinks } from '../deliveries/shown-body';
import { DownloadCountsRepository } from '../downloads/download-counts.repository';
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
    private readonly counts: DownloadCountsRepository,
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
    const { verdict, failures, waitMs } = outcomeOf(webhook, attempt);
    await this.transactions.run(ctx, async (tx) => {
      const recorded = await (waitMs === null
        ? this.sender.advance(tx, webhook.id, position, attempt)
        : this.sender.postpone(tx, webhook.id, position, { ...attempt, waitMs, failures }));
      // The cursor is past an event that a person left out, by resuming with a later one. The event has no further attempt.
      const state = recorded || verdict === 'sent' ? stateAfter(verdict, waitMs) : 'failed';
      // After the webhook, in the order in which a deletion locks the rows.
      await this.deliveries.record(tx, delivery.id, attempt, state);
      if (verdict === 'gone') await this.retirement.turnOff(tx, webhook, 'gone');
      else if (recorded?.isExpired) await this.retirement.turnOff(tx, webhook, 'failing');
    });
  }

  /** Sends a count of downloads. An endpoint that rejects it delays the next count, and no event. */
  async makeCount(
    ctx: RequestContext,
    webhook: WebhookEntity,
    delivery: WebhookDeliveryEntity,
    signal: AbortSignal,
  ): Promise<void> {
    const attempt = await this.post(ctx, webhook, delivery, signal);
    const verdict = verdictOn(attempt);
    await this.transactions.run(ctx, async (tx) => {
      const { state, isExpired } = await this.conclude(tx, webhook, delivery, attempt);
      await this.deliveries.record(tx, delivery.id, attempt, state);
      if (verdict === 'gone') await this.retirement.turnOff(tx, webhook, 'gone');
      else if (isExpired) await this.retirement.turnOff(tx, webhook, 'failing');
    });
  }

  private async conclude(
    tx: RequestContext,
    webhook: WebhookEntity,
    { attempts }: WebhookDeliveryEntity,
    attempt: Attempt,
  ): Promise<{ readonly state: DeliveryState; readonly isExpired: boolean }> {
    const verdict = verdictOn(attempt);
    if (verdict === 'endpoint') {
      const failures = failuresBefore(webhook, verdict);
      const waitMs = waitAfter(verdict, failures, attempt.retryAfterMs, Math.random()) ?? 0;
      const recorded = await this.sender.postpone(tx, webhook.id, null, {
        ...attempt,
        waitMs,
        failures: failures + 1,
      });
      return { state: 'pending', isExpired: recorded?.isExpired ?? false };
    }
    if (verdict === 'sent') await this.sender.succeed(tx, webhook.id, attempt);
    const waitMs = verdict === 'event' ? waitAfter(verdict, attempts, attempt.retryAfterMs, Math.random()) : null;
    await this.counts.wait(tx, webhook.id, waitMs ?? undefined);
    return { state: verdict === 'sent' ? 'delivered' : waitMs === null ? 'failed' : 'pending', isExpired: false };
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

  /** Deletes the oldest deliveries of a webhook that has more than it may keep. */
  trim(ctx: RequestContext, webhookId: string): Promise<void> {
    return this.deliveries.trim(ctx, webhookId);
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
    // The log stores responses as they are, and an endpoint may repeat the message.
    return { ...attempt, answer: attempt.answer && withoutLinks(attempt.answer) };
  }

  private secretsOf(ctx: RequestContext, webhook: WebhookEntity): string[] {
    const { id, secretSealed, oldSecretSealed, oldSecretUntil } = webhook;
    const isOldValid = oldSecretUntil !== null && oldSecretUntil > ctx.clock.now();
    const sealed = [secretSealed, ...(oldSecretSealed && isOldValid ? [oldSecretSealed] : [])];
    return sealed.map((secret) => this.sealer.open(secret, secretContext(id)).toString());
  }
}

interface Outcome {
  readonly verdict: Verdict;
  /** The number of failures of the same kind in a row, this one included. */
  readonly failures: number;
  /** The time to wait. Null when the cursor moves on. */
  readonly waitMs: number | null;
}

function outcomeOf(webhook: WebhookEntity, attempt: Attempt): Outcome {
  const verdict = verdictOn(attempt);
  if (verdict === 'sent') return { verdict, failures: 0, waitMs: null };
  const before = failuresBefore(webhook, verdict);
  const waitMs = verdict === 'gone' ? 0 : waitAfter(verdict, before, attempt.retryAfterMs, Math.random());
  return { verdict, failures: before + 1, waitMs };
}

function stateAfter(verdict: Verdict, waitMs: number | null): DeliveryState {
  if (verdict === 'sent') return 'delivered';
  return verdict === 'gone' || waitMs === null ? 'failed' : 'pending';
}

/** The number of failures of the same kind in a row: a rejection of one event does not continue the waits for an endpoint. */
function failuresBefore({ attempt, lastStatus, lastError }: WebhookEntity, verdict: Verdict): number {
  return verdictOn({ status: lastStatus, error: lastError }) === verdict ? attempt : 0;
}
