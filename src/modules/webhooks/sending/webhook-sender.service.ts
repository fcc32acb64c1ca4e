import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { newId } from '#kernel/ids';
import { violatedConstraint } from '#infra/database/database-errors';
import { Transactions } from '#infra/database/transactions';
import { defineJob, type JobRun } from '#infra/jobs/job-kind';
import { Jobs } from '#infra/jobs/jobs';
import { Logger } from '#infra/logging/logger';
import { DownloadCountsService } from '../downloads/download-counts.service';
import { type ChainReader } from './chain-reader';
import { EventSelectionService } from './event-selection.service';
import { type DueWebhook, SenderRepository } from './sender.repository';
import { WebhookAttemptsService } from './webhook-attempts.service';
import { WebhookMessagesService } from './webhook-messages.service';
import { WebhookRetirementService } from './webhook-retirement.service';

interface SendPayload {
  readonly webhookId: string;
}

const SEND = defineJob<SendPayload>('webhooks.send', { jobClass: 'network' });

/** Milliseconds between two looks for webhooks with something to send. */
const LOOK_MS = 1_000;
/** The events and the time after which a run leaves its slot to other webhooks, and waits for its next turn. */
const MAX_STEPS = 100;
/** The time after which it does so, because each event of a slow endpoint may take fifteen seconds. */
const MAX_RUN_MS = 5_000;

/**
 * Sends the events of organizations to their webhooks. A webhook is a cursor on the audit chain, whose positions are consecutive in commit
 * order, so events need no outbox, and an endpoint that fails costs no rows (docs/decisions/0090-webhooks-are-cursors.md).
 */
@Injectable()
export class WebhookSenderService implements OnModuleInit {
  constructor(
    private readonly sender: SenderRepository,
    private readonly retirement: WebhookRetirementService,
    private readonly selection: EventSelectionService,
    private readonly messages: WebhookMessagesService,
    private readonly attempts: WebhookAttemptsService,
    private readonly counts: DownloadCountsService,
    private readonly transactions: Transactions,
    private readonly jobs: Jobs,
    private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.jobs.poll({ name: 'webhooks.look', everyMs: LOOK_MS, run: (ctx) => this.look(ctx) });
    this.jobs.register(SEND, (ctx, { webhookId }, job) => this.send(ctx, webhookId, job));
  }

  /** Starts the jobs of the webhooks that have something to send. */
  async look(ctx: RequestContext): Promise<void> {
    await this.transactions.run(ctx, async (tx) => {
      const due = await this.sender.claimDue(tx);
      await this.jobs.enqueueAll(
        tx,
        SEND,
        due.map((webhookId) => ({ webhookId })),
      );
    });
  }

  /** Sends the events of one webhook, one after another, until none is due or its turn ends. */
  private async send(ctx: RequestContext, webhookId: string, { signal }: JobRun): Promise<void> {
    const run = newId();
    if (!(await this.sender.begin(ctx, webhookId, run))) return;
    let isBroken = false;
    try {
      if (await this.sendUntilDone(ctx, webhookId, run, signal)) await this.attempts.trim(ctx, webhookId);
    } catch (error) {
      // A process that stops interrupts the attempt. Another one repeats it. A webhook that was deleted has nothing to send.
      if (signal.aborted || violatedConstraint(error) === 'fk_webhook_delivery_webhook') return;
      // The claim ends by itself. After a failed job, which the queue repeats, each look would add another one.
      isBroken = true;
      this.logger.error({ err: error, webhookId }, 'A webhook could not send; it will be retried');
    } finally {
      if (!isBroken) await this.sender.end(ctx, webhookId, run);
    }
  }

  /** @returns whether it sent something. */
  private async sendUntilDone(
    ctx: RequestContext,
    webhookId: string,
    run: string,
    signal: AbortSignal,
  ): Promise<boolean> {
    const end = performance.now() + MAX_RUN_MS;
    let chain: ChainReader | undefined;
    let hasSent = false;
    for (let steps = 0; steps < MAX_STEPS && performance.now() < end && !signal.aborted; steps += 1) {
      const webhook = await this.sender.findDue(ctx, webhookId, run);
      if (!webhook) break;
      chain ??= this.selection.readerOf(webhook.organizationId);
      hasSent = (await this.step(ctx, webhook, chain, signal)) || hasSent;
    }
    return hasSent;
  }

  /** Sends the next event that the webhook wants, or passes over events that it does not want. @returns whether it sent one. */
  private async step(
    ctx: RequestContext,
    webhook: DueWebhook,
    chain: ChainReader,
    signal: AbortSignal,
  ): Promise<boolean> {
    if (webhook.isCountDue) return this.counts.send(ctx, webhook, signal);
    const { changes, until } = await chain.after(ctx, Number(webhook.cursor), Number(webhook.head));
    const selected = await this.selection.first(ctx, webhook, changes);
    if (selected === 'forbidden') await this.retirement.turnOff(ctx, webhook, 'creator_lost_access');
    if (selected === null) await this.sender.passTo(ctx, webhook.id, until);
    if (selected === 'forbidden' || selected === null) return false;
    const { viewer, change } = selected;
    const { delivery, isBroken } = await this.messages.of(ctx, webhook, viewer, change);
    if (isBroken) await this.attempts.park(ctx, webhook, delivery, change.position);
    else await this.attempts.make(ctx, webhook, delivery, { position: change.position, signal });
    return true;
  }
}
