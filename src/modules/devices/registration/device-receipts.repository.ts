import { Injectable } from '@nestjs/common';
import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { deleteOlder, one, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';

/** The use of a ticket: each registers one device, and its receipt is shown once. */
@Entity('device_receipt')
@Index('ix_device_receipt_device', ['deviceId'])
@Index('ix_device_receipt_created', ['createdAt'])
@ForeignKey('DeviceEntity', ['organizationId', 'projectId', 'deviceId'], ['organizationId', 'projectId', 'id'], {
  name: 'fk_device_receipt_device',
  onDelete: 'CASCADE',
})
export class DeviceReceiptEntity {
  /** The id of the ticket. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_device_receipt' })
  id: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('uuid', { name: 'project_id' })
  projectId: string;

  @Column('uuid', { name: 'device_id' })
  deviceId: string;

  /** When the page of the receipt was shown, null before. */
  @Column({ type: 'timestamptz', name: 'spent_at', precision: 3, nullable: true })
  spentAt: Date | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}

@Injectable()
export class DeviceReceiptsRepository {
  constructor(private readonly transactions: Transactions) {}

  exists(ctx: RequestContext, id: string): Promise<boolean> {
    return this.transactions.manager(ctx).existsBy(DeviceReceiptEntity, { id });
  }

  /** Uses a ticket. @returns false when it was used before: of concurrent uses, one succeeds. */
  async insert(tx: RequestContext, scope: ProjectScope, id: string, deviceId: string): Promise<boolean> {
    const inserted = await rows(
      this.transactions.manager(tx),
      `INSERT INTO device_receipt (id, organization_id, project_id, device_id, created_at) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (id) DO NOTHING RETURNING id`,
      [id, scope.organizationId, scope.projectId, deviceId, tx.clock.now()],
    );
    return inserted.length === 1;
  }

  /** Shows a receipt for the only time. @returns the id of its device; null when it was shown before or does not exist. */
  async spend(
    ctx: RequestContext,
    { organizationId, projectId }: ProjectScope,
    id: string,
    since: Date,
  ): Promise<string | null> {
    const spent = await one<{ deviceId: string }>(
      this.transactions.manager(ctx),
      `UPDATE device_receipt SET spent_at = $4 WHERE id = $1 AND organization_id = $2 AND project_id = $3
       AND spent_at IS NULL AND created_at > $5 RETURNING device_id AS "deviceId"`,
      [id, organizationId, projectId, ctx.clock.now(), since],
    );
    return spent?.deviceId ?? null;
  }

  prune(ctx: RequestContext): Promise<void> {
    return deleteOlder(this.transactions.manager(ctx), 'device_receipt', {
      column: 'created_at',
      age: `interval '1 day'`,
    });
  }
}
