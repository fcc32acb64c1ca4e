import { Injectable } from '@nestjs/common';
import { Column, Entity, ForeignKey, Index, PrimaryColumn, type Repository, Unique } from 'typeorm';
import { type RequestContext } from '#kernel/context/request-context';
import { decodeCursor, type ListName, type Page, pageOf, type PageRequest } from '#kernel/cursor';
import { changed, columnsOf, deleteOlder, insertRow, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { type Attempt } from '../sending/attempt';
import { type DeliveryError, DOWNLOADS_COUNTED, KEPT_DELIVERIES } from '../webhook';

/** `pending`: not accepted yet, and tried again. `failed`: not tried again, unless a person redelivers it. */
export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** A message for an endpoint. Its body is written before the first attempt, so that every attempt sends the same bytes. */
@Entity('webhook_delivery')
@Unique('uq_webhook_delivery_position', ['webhookId', 'position'])
@Index('ix_webhook_delivery_webhook', ['webhookId', 'id'])
@Index('ix_webhook_delivery_created', ['createdAt'])
@ForeignKey('WebhookEntity', ['organizationId', 'webhookId'], ['organizationId', 'id'], {
  name: 'fk_webhook_delivery_webhook',
  onDelete: 'CASCADE',
})
export class WebhookDeliveryEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_webhook_delivery' })
  id: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('uuid', { name: 'webhook_id' })
  webhookId: string;

  /** The event's place in the audit chain. Null for a test, and for a count of downloads. */
  @Column('bigint', { nullable: true })
  position: string | null;

  @Column('text', { name: 'event_id' })
  eventId: string;

  @Column('text', { name: 'event_type' })
  eventType: string;

  /** It may contain install links and names. */
  @Column({ type: 'bytea', name: 'body_sealed' })
  bodySealed: Buffer;

  @Column('text')
  state: DeliveryState;

  @Column('integer', { default: 0 })
  attempts: number;

  @Column('integer', { name: 'last_status', nullable: true })
  lastStatus: number | null;

  @Column('text', { name: 'last_error', nullable: true })
  lastError: DeliveryError | null;

  @Column('integer', { name: 'last_ms', nullable: true })
  lastMs: number | null;

  @Column({ type: 'timestamptz', name: 'last_at', precision: 3, nullable: true })
  lastAt: Date | null;

  /** The start of the last response's body. */
  @Column('text', { nullable: true })
  answer: string | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}

export type NewDelivery = Pick<
  WebhookDeliveryEntity,
  'id' | 'organizationId' | 'webhookId' | 'position' | 'eventId' | 'eventType' | 'bodySealed'
>;

const UNLISTED = ['bodySealed', 'answer'] as const;

/** A delivery without what was sent and received. */
export type ListedDelivery = Omit<WebhookDeliveryEntity, (typeof UNLISTED)[number]>;

@Injectable()
export class DeliveriesRepository {
  constructor(private readonly transactions: Transactions) {}

  async insert(ctx: RequestContext, delivery: NewDelivery): Promise<WebhookDeliveryEntity> {
    const unsent = { lastStatus: null, lastError: null, lastMs: null, lastAt: null, answer: null };
    const row = { ...delivery, ...unsent, state: 'pending' as const, attempts: 0, createdAt: ctx.clock.now() };
    await insertRow(this.transactions.manager(ctx), WebhookDeliveryEntity, row);
    return row;
  }

  /** The delivery of an event whose body is written. */
  findAt(ctx: RequestContext, webhookId: string, position: number): Promise<WebhookDeliveryEntity | null> {
    return this.deliveries(ctx).findOneBy({ webhookId, position: String(position) });
  }

  /** The oldest message of a type that is not accepted yet. */
  findPending(ctx: RequestContext, webhookId: string, eventType: string): Promise<WebhookDeliveryEntity | null> {
    return this.deliveries(ctx).findOne({ where: { webhookId, eventType, state: 'pending' }, order: { id: 'ASC' } });
  }

  find(ctx: RequestContext, organizationId: string, id: string): Promise<WebhookDeliveryEntity | null> {
    return this.deliveries(ctx).findOneBy({ organizationId, id });
  }

  /** The deliveries of a webhook, newest first, without their bodies, of which a page could have two megabytes. */
  async list(
    ctx: RequestContext,
    webhookId: string,
    state: DeliveryState | undefined,
    { limit, cursor }: PageRequest,
  ): Promise<Page<ListedDelivery>> {
    const list: ListName = `webhook-deliveries|${webhookId}${state ?? ''}`;
    const found = await rows<ListedDelivery>(
      this.transactions.manager(ctx),
      `SELECT ${columnsOf(this.deliveries(ctx).metadata, undefined, UNLISTED)} FROM webhook_delivery
       WHERE webhook_id = $1 AND ($2::text IS NULL OR state = $2) AND ($3::uuid IS NULL OR id < $3) ORDER BY id DESC LIMIT $4`,
      [webhookId, state ?? null, decodeCursor(cursor, list), limit + 1],
    );
    return pageOf(found, limit, list);
  }

  async record(tx: RequestContext, id: string, attempt: Attempt, state: DeliveryState): Promise<void> {
    await changed(
      this.transactions.manager(tx),
      `UPDATE webhook_delivery SET state = $2, attempts = attempts + 1, last_status = $3, last_error = $4, last_ms = $5,
         last_at = app_now(), answer = $6 WHERE id = $1`,
      [id, state, attempt.status, attempt.error, Math.round(attempt.tookMs), attempt.answer],
    );
  }

  /** Ends a delivery without an attempt. @param error null when the webhook may no longer send it. */
  async giveUp(ctx: RequestContext, id: string, error: DeliveryError | null): Promise<void> {
    await this.deliveries(ctx).update(
      { id },
      { state: 'failed', ...(error && { lastStatus: null, lastError: error }) },
    );
  }

  /** Deletes the oldest deliveries of a webhook that has more than it may keep, except for the message that is in its turn. */
  async trim(ctx: RequestContext, webhookId: string): Promise<void> {
    await changed(
      this.transactions.manager(ctx),
      `DELETE FROM webhook_delivery WHERE webhook_id = $1 AND (state <> 'pending' OR position IS NULL AND event_type <> '${DOWNLOADS_COUNTED}')
         AND id <= (SELECT id FROM webhook_delivery WHERE webhook_id = $1 ORDER BY id DESC OFFSET ${KEPT_DELIVERIES} LIMIT 1)`,
      [webhookId],
    );
  }

  /** Deletes deliveries after 30 days. */
  prune(ctx: RequestContext): Promise<void> {
    return deleteOlder(this.transactions.manager(ctx), 'webhook_delivery', {
      column: 'created_at',
      age: `interval '30 days'`,
    });
  }

  private deliveries(ctx: RequestContext): Repository<WebhookDeliveryEntity> {
    return this.transactions.manager(ctx).getRepository(WebhookDeliveryEntity);
  }
}
