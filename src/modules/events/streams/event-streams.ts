import { setImmediate as nextLoopTurn } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable, type OnModuleInit } from '@nestjs/common';
import { type Response } from 'express';
import { type Change, changesAccess } from '#kernel/audit/change';
import { Clock } from '#kernel/context/clock';
import { developerOf, type RequestContext, systemContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { newId } from '#kernel/ids';
import { type ChainSpan, ChangesRepository } from '#infra/audit/changes.repository';
import { Readiness } from '#infra/lifecycle/readiness';
import { Logger } from '#infra/logging/logger';
import { sample } from '#infra/metrics/gauge-source';
import { Metrics } from '#infra/metrics/metrics';
import { CredentialViews } from '#modules/access';
import { EventStream } from './event-stream';
import { placeFor } from './stream-room';
import { type ClosingReason, type EventRequest, Subscription } from './subscription';
import { Viewers } from './viewers';

/** Milliseconds between two reads of the audit chains. */
const INTERVAL_MS = 500;
/** A stream that is further behind gets `resync` instead of the events. */
const MAX_BACKLOG = 500;
/** A response counts what was written since the last turn of the event loop as unread, and few unread bytes end a stream. */
const EVENTS_PER_TURN = 100;

/**
 * Sends the changes of organizations to open streams. While streams are open, it reads the heads of the audit chains of their
 * organizations twice a second, so that the changes of every process are seen (docs/decisions/0044-events-follow-the-audit-chain.md).
 */
@Injectable()
export class EventStreams implements OnModuleInit, BeforeApplicationShutdown {
  private readonly subscriptions = new Set<Subscription>();
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private failing = false;

  constructor(
    private readonly changes: ChangesRepository,
    private readonly credentials: CredentialViews,
    private readonly viewers: Viewers,
    private readonly readiness: Readiness,
    private readonly clock: Clock,
    private readonly logger: Logger,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    const gauge = 'agate_event_streams';
    this.metrics.watch({ source: 'events', gauges: [gauge], read: () => [sample(gauge, this.subscriptions.size, {})] });
    // A load balancer waits for the end of responses, which streams do not have.
    this.readiness.onDrain(() => this.closeAll());
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.closeAll();
    clearInterval(this.timer);
    await this.running;
  }

  /**
   * Opens a stream and leaves it open.
   * @throws AppError rate_limit_exceeded when the developer or the process has too many streams.
   */
  async open(ctx: RequestContext, request: EventRequest, response: Response): Promise<void> {
    const [state] = await this.credentials.statesOf(ctx, [developerOf(ctx)]);
    // Before the access is checked, so that a change of it in between is an event after the head.
    const heads = await this.changes.heads(ctx, [request.organizationId]);
    const head = heads.get(request.organizationId) ?? 0;
    // The credential may have been revoked since the guards accepted it.
    const viewer = await this.viewers.again(request.execution, request.organizationId);
    const stream = new EventStream(response);
    const position = await this.startOf(ctx, request, head);
    const subscription = new Subscription(request, stream, viewer, { position, head }, this.clock.now());
    subscription.confirmState(state);
    const displaced = placeFor(subscription, [...this.subscriptions]);
    // The client may have disconnected.
    if (!stream.isOpen) return;
    if (displaced) this.close(displaced, 'room');
    subscription.open();
    if (this.readiness.isDraining) subscription.close('shutdown');
    if (response.req.method === 'HEAD') response.end();
    if (!stream.isOpen) return;
    this.subscriptions.add(subscription);
    response.once('close', () => this.remove(subscription));
    this.timer ??= setInterval(() => this.look(), INTERVAL_MS).unref();
  }

  /** The position after which a client receives events. One that reconnects continues at the head, with `resync` when it missed events. */
  private async startOf(
    ctx: RequestContext,
    { organizationId, recentSeconds, lastEventId }: EventRequest,
    head: number,
  ): Promise<number> {
    if (recentSeconds === 0 || lastEventId !== undefined) return head;
    const since = new Date(this.clock.now().getTime() - recentSeconds * 1_000);
    // One more than a stream sends, so that a stream which would lack some gets `resync`.
    return this.changes.positionBefore(ctx, { organizationId, head, since, most: MAX_BACKLOG + 1 });
  }

  private remove(subscription: Subscription): void {
    this.subscriptions.delete(subscription);
    if (this.subscriptions.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private closeAll(): void {
    for (const subscription of this.subscriptions) subscription.close('shutdown');
  }

  private look(): void {
    this.running ??= this.sendChanges()
      .then(() => (this.failing = false))
      .catch((error: unknown) => {
        // The streams stay open: positions are consecutive, so nothing is lost.
        if (!this.failing) this.logger.warn({ err: error }, 'Changes cannot be sent to event streams');
        this.failing = true;
      })
      .then(() => (this.running = undefined));
  }

  private async sendChanges(): Promise<void> {
    const now = this.clock.now();
    const ctx = systemContext('events', this.clock, newId());
    const organizationIds = new Set([...this.subscriptions].map(({ organizationId }) => organizationId));
    const heads = await this.changes.heads(ctx, [...organizationIds]);
    const behind = new Set([...this.subscriptions].filter((each) => each.lastPosition < headOf(each, heads)));
    const changes = await this.changes.within(ctx, missingSpans([...behind], heads));
    // After the events are read, so that none is sent that was committed after a revocation.
    const open = [...this.subscriptions];
    const identities = open.map(({ identity }) => identity);
    const states = await this.credentials.statesOf(ctx, identities);
    const results = await Promise.allSettled(
      open.map(async (each, index) => {
        const head = headOf(each, heads);
        await this.checkIfDue(each, now, states[index], head);
        if (behind.has(each)) await this.deliver(each, changes.get(each.organizationId) ?? [], head);
      }),
    );
    for (const subscription of this.subscriptions) subscription.heartbeatIfDue(now);
    // A stream whose check failed has received nothing since, and is checked again by the next look.
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
  }

  /** Checks a caller whose credential has changed or may have expired. */
  private async checkIfDue(
    subscription: Subscription,
    now: Date,
    state: string | undefined,
    head: number,
  ): Promise<void> {
    if (!subscription.isCheckDue(now, state)) return;
    await this.check(subscription, head);
    subscription.confirmState(state);
  }

  /**
   * A change of access applies to the events after it. The change itself is sent with the access before or after it. One check is enough
   * for all changes up to the head, because they were committed before it.
   */
  private async deliver(subscription: Subscription, changes: readonly Change[], head: number): Promise<void> {
    if (!subscription.isOpen) return;
    if (isLate(subscription, head)) return this.skip(subscription, head);
    const missing = changes.filter(({ position }) => position > subscription.lastPosition);
    for (const [index, change] of missing.entries()) {
      if (index > 0 && index % EVENTS_PER_TURN === 0) await nextLoopTurn();
      const saw = subscription.sees(change);
      if (changesAccess(change) && change.position > subscription.checkedUpTo) await this.check(subscription, head);
      if (!subscription.isOpen) return;
      subscription.passTo(change.position);
      if (saw || subscription.sees(change)) subscription.send(change);
    }
    subscription.passTo(Math.max(head, subscription.lastPosition));
  }

  /** Sends `resync` instead of the events. Each of them may have changed the access. */
  private async skip(subscription: Subscription, head: number): Promise<void> {
    if (head > subscription.checkedUpTo) await this.check(subscription, head);
    subscription.resync(head);
  }

  /**
   * Closes the stream when the caller may no longer have it.
   * @param head the position of the organization's newest event, read before.
   */
  private async check(subscription: Subscription, head: number): Promise<void> {
    const { execution, organizationId } = subscription.request;
    try {
      subscription.confirm(await this.viewers.again(execution, organizationId), this.clock.now(), head);
    } catch (error) {
      const reason = reasonOf(error);
      if (!reason) throw error;
      this.close(subscription, reason);
    }
  }

  private close(subscription: Subscription, reason: ClosingReason): void {
    subscription.close(reason);
    this.remove(subscription);
  }
}

type Heads = ReadonlyMap<string, number>;

/** The position of the newest event of the subscription's organization. */
const headOf = ({ organizationId }: Subscription, heads: Heads): number => heads.get(organizationId) ?? 0;

const isLate = ({ lastPosition }: Subscription, head: number): boolean => head - lastPosition > MAX_BACKLOG;

/** For each organization the events that at least one of the subscriptions must send. */
function missingSpans(subscriptions: readonly Subscription[], heads: Heads): ChainSpan[] {
  const spans = new Map<string, ChainSpan>();
  for (const each of subscriptions) {
    const { organizationId, lastPosition } = each;
    const [after, until] = [spans.get(organizationId)?.after ?? Infinity, headOf(each, heads)];
    if (!isLate(each, until))
      spans.set(organizationId, { organizationId, after: Math.min(after, lastPosition), until });
  }
  return [...spans.values()];
}

const reasonOf = (error: unknown): ClosingReason | null => {
  if (!(error instanceof AppError)) return null;
  if (error.entry.status === 401) return 'credential';
  return error.entry.status === 403 ? 'access' : null;
};
