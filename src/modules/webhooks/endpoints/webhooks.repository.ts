import { Injectable } from '@nestjs/common';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, type Repository, Unique } from 'typeorm';
import { type RequestContext } from '#kernel/context/request-context';
import { decodeCursor, type ListName, type Page, pageOf, type PageRequest } from '#kernel/cursor';
import { changed, columnsOf, insertRow, one, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import {
  type DeliveryError,
  type OffReason,
  type WebhookFilter,
  type WebhookScope,
  type WebhookState,
} from '../webhook';
import { type WebhookFormat } from '../webhook-event';

/** An endpoint of a customer that is informed of the events after its cursor in the organization's audit chain. */
@Entity('webhook')
@Unique('uq_webhook_organization', ['organizationId', 'id'])
@Check('ck_webhook_old_secret', '(old_secret_sealed IS NULL) = (old_secret_until IS NULL)')
@Check('ck_webhook_state', `state = 'off' OR off_reason IS NULL`)
@Index('ix_webhook_project', ['organizationId', 'projectId'])
@Index('ix_webhook_creator', ['createdBy'])
@Index('ix_webhook_due', ['nextAt'], { where: `state = 'on'` })
@ForeignKey('ProjectEntity', ['organizationId', 'projectId'], ['organizationId', 'id'], {
  name: 'fk_webhook_project',
  onDelete: 'CASCADE',
})
export class WebhookEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_webhook' })
  id: string;

  @ForeignKey('OrganizationEntity', { name: 'fk_webhook_organization', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  /** Null for a webhook of the whole organization. */
  @Column('uuid', { name: 'project_id', nullable: true })
  projectId: string | null;

  @Column('text')
  name: string;

  /** The whole address, which often contains a secret. */
  @Column({ type: 'bytea', name: 'url_sealed' })
  urlSealed: Buffer;

  /** The part of the address that is shown. */
  @Column('text')
  host: string;

  @Column({ type: 'bytea', name: 'secret_sealed' })
  secretSealed: Buffer;

  /** Signs, too, until `oldSecretUntil`. */
  @Column({ type: 'bytea', name: 'old_secret_sealed', nullable: true })
  oldSecretSealed: Buffer | null;

  @Column({ type: 'timestamptz', name: 'old_secret_until', precision: 3, nullable: true })
  oldSecretUntil: Date | null;

  @Column('text')
  format: WebhookFormat;

  @Column('text', { array: true })
  types: string[];

  @Column({ type: 'jsonb' })
  filter: WebhookFilter;

  @Column('boolean', { name: 'include_links' })
  includeLinks: boolean;

  @Column('text')
  state: WebhookState;

  @Column('text', { name: 'off_reason', nullable: true })
  offReason: OffReason | null;

  /** The position of the last event that was sent, parked or passed over. */
  @Column('bigint')
  cursor: string;

  /** The first failure since the last success. */
  @Column({ type: 'timestamptz', name: 'failing_since', precision: 3, nullable: true })
  failingSince: Date | null;

  /** Whether the last attempt succeeded within two seconds. The others send in a part of the slots. */
  @Column('boolean', { name: 'is_quick', default: false })
  isQuick: boolean;

  /** The number of failed attempts to send the next event. */
  @Column('integer', { default: 0 })
  attempt: number;

  @Column({ type: 'timestamptz', name: 'next_at', precision: 3 })
  nextAt: Date;

  /** The run of the job that may send: an earlier run that still exists stops when it finds another one. */
  @Column('uuid', { nullable: true })
  sender: string | null;

  /** Until then, no process looks for work of this webhook. */
  @Column({ type: 'timestamptz', name: 'sending_until', precision: 3, nullable: true })
  sendingUntil: Date | null;

  /** The time up to which downloads are counted. Null when the webhook does not send `downloads.counted`. */
  @Column({ type: 'timestamptz', name: 'downloads_cursor', precision: 3, nullable: true })
  downloadsCursor: Date | null;

  /** When the next count of downloads may be sent. */
  @Column({ type: 'timestamptz', name: 'downloads_next_at', precision: 3, nullable: true })
  downloadsNextAt: Date | null;

  @Column('integer', { name: 'last_status', nullable: true })
  lastStatus: number | null;

  @Column('text', { name: 'last_error', nullable: true })
  lastError: DeliveryError | null;

  @Column({ type: 'timestamptz', name: 'last_at', precision: 3, nullable: true })
  lastAt: Date | null;

  /** The developer by whose roles the webhook is allowed to send. Null after their account was deleted. */
  @ForeignKey('DeveloperEntity', { name: 'fk_webhook_creator', onDelete: 'SET NULL' })
  @Column('uuid', { name: 'created_by', nullable: true })
  createdBy: string | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}

/** A webhook with the number of events of its organization after its cursor. */
export type WebhookRow = WebhookEntity & { readonly behind: string };

/** What a person changes. */
export type WebhookChange = Partial<
  Pick<WebhookEntity, 'name' | 'urlSealed' | 'host' | 'format' | 'types' | 'filter' | 'includeLinks' | 'createdBy'>
>;

const BEHIND = `(SELECT greatest(c.position - w.cursor, 0) FROM audit_chain c WHERE c.id = w.organization_id)`;

@Injectable()
export class WebhooksRepository {
  constructor(private readonly transactions: Transactions) {}

  /** Counts the webhooks of an organization. The lock lasts until the transaction ends, so concurrent creations cannot exceed the limit. */
  async lockAndCount(tx: RequestContext, organizationId: string): Promise<number> {
    await this.transactions.advisoryLock(tx, `webhooks|${organizationId}`);
    return this.webhooks(tx).countBy({ organizationId });
  }

  async insert(tx: RequestContext, webhook: WebhookEntity): Promise<void> {
    await insertRow(this.transactions.manager(tx), WebhookEntity, webhook);
  }

  /** The position of the newest event of an organization. */
  async head(ctx: RequestContext, organizationId: string): Promise<string> {
    const sql = 'SELECT position FROM audit_chain WHERE id = $1';
    const found = await one<{ position: string }>(this.transactions.manager(ctx), sql, [organizationId]);
    return found?.position ?? '0';
  }

  /** The webhooks of an organization or, with a project, of that project alone, newest first. */
  async list(
    ctx: RequestContext,
    { organizationId, projectId }: WebhookScope,
    { limit, cursor }: PageRequest,
  ): Promise<Page<WebhookRow>> {
    const list: ListName = `webhooks|${organizationId}${projectId ?? ''}`;
    const found = await rows<WebhookRow>(
      this.transactions.manager(ctx),
      `SELECT ${this.columns(ctx)}, ${BEHIND} AS behind FROM webhook w
       WHERE w.organization_id = $1 AND ($2::uuid IS NULL OR w.project_id = $2) AND ($3::uuid IS NULL OR w.id < $3)
       ORDER BY w.id DESC LIMIT $4`,
      [organizationId, projectId, decodeCursor(cursor, list), limit + 1],
    );
    return pageOf(found, limit, list);
  }

  find(ctx: RequestContext, organizationId: string, id: string): Promise<WebhookRow | null> {
    return one(
      this.transactions.manager(ctx),
      `SELECT ${this.columns(ctx)}, ${BEHIND} AS behind FROM webhook w WHERE w.organization_id = $1 AND w.id = $2`,
      [organizationId, id],
    );
  }

  async update(tx: RequestContext, id: string, change: WebhookChange): Promise<void> {
    if (Object.keys(change).length > 0) await this.webhooks(tx).update({ id }, change);
  }

  async delete(tx: RequestContext, organizationId: string, id: string): Promise<boolean> {
    return (await this.webhooks(tx).delete({ organizationId, id })).affected === 1;
  }

  /** Keeps the present secret of the row, not that of an earlier read, as the previous one for a day. */
  async rotate(tx: RequestContext, id: string, secretSealed: Buffer): Promise<void> {
    await changed(
      this.transactions.manager(tx),
      `UPDATE webhook SET secret_sealed = $2, old_secret_sealed = secret_sealed,
         old_secret_until = app_now() + interval '24 hours' WHERE id = $1`,
      [id, secretSealed],
    );
  }

  /** Ends the wait of a webhook after a failure. @param isCount whether the next attempt is that of a count of downloads. */
  async hurry(tx: RequestContext, id: string, isCount: boolean): Promise<void> {
    await changed(
      this.transactions.manager(tx),
      `UPDATE webhook SET next_at = app_now(),
         downloads_next_at = CASE WHEN $2 AND downloads_next_at IS NOT NULL THEN app_now() ELSE downloads_next_at END WHERE id = $1`,
      [id, isCount],
    );
  }

  /** Gives up the deliveries that a webhook has not completed, when it continues with later events. */
  async giveUpDeliveries(tx: RequestContext, id: string): Promise<void> {
    const sql = `UPDATE webhook_delivery SET state = 'failed' WHERE webhook_id = $1 AND state = 'pending'`;
    await changed(this.transactions.manager(tx), sql, [id]);
  }

  /** Forgets the failures of a former address. */
  async retryNow(tx: RequestContext, id: string): Promise<void> {
    await changed(
      this.transactions.manager(tx),
      'UPDATE webhook SET attempt = 0, failing_since = NULL, is_quick = false, next_at = app_now() WHERE id = $1',
      [id],
    );
  }

  /** @param cursor where it continues; null for where it stopped. */
  async resume(tx: RequestContext, id: string, cursor: string | null): Promise<void> {
    await changed(
      this.transactions.manager(tx),
      `UPDATE webhook SET state = 'on', off_reason = NULL, attempt = 0, failing_since = NULL, next_at = app_now(),
         cursor = greatest(cursor, coalesce($2::bigint, cursor)) WHERE id = $1`,
      [id, cursor],
    );
  }

  /** @returns false when the webhook is off already, or was deleted. */
  async turnOff(tx: RequestContext, id: string, reason: OffReason): Promise<boolean> {
    const sql = `UPDATE webhook SET state = 'off', off_reason = $2 WHERE id = $1 AND state = 'on'`;
    return (await changed(this.transactions.manager(tx), sql, [id, reason])) === 1;
  }

  /** Deletes previous secrets whose day is over. */
  async dropOldSecrets(ctx: RequestContext): Promise<void> {
    await changed(
      this.transactions.manager(ctx),
      'UPDATE webhook SET old_secret_sealed = NULL, old_secret_until = NULL WHERE old_secret_until <= (SELECT app_now())',
    );
  }

  private columns(ctx: RequestContext): string {
    return columnsOf(this.webhooks(ctx).metadata, 'w');
  }

  private webhooks(ctx: RequestContext): Repository<WebhookEntity> {
    return this.transactions.manager(ctx).getRepository(WebhookEntity);
  }
}
