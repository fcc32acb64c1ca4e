import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { type MeteredKind } from './reservation';

/** Credit held for an upload or a download. Resolved once: settled with the bytes that were transferred, or released. */
@Entity('reservation')
@Check('ck_reservation_kind', `kind IN ('upload', 'download')`)
@Check('ck_reservation_size', `size_bytes >= 0 AND actual_bytes >= 0`)
@Check('ck_reservation_state', `state IN ('active', 'settled', 'released', 'expired')`)
@Check(
  'ck_reservation_resolved',
  `(state = 'active') = (resolved_at IS NULL) AND (state = 'settled') = (actual_bytes IS NOT NULL)`,
)
@Check('ck_reservation_amount', `amount_micro_usd >= 0 AND (metered OR amount_micro_usd = 0)`)
@Unique('uq_reservation_organization', ['organizationId', 'id'])
@Index('ix_reservation_active', ['principal', 'expiresAt'], { where: `state = 'active'` })
@Index('ix_reservation_expiry', ['organizationId', 'expiresAt'], { where: `state = 'active'` })
@Index('ix_reservation_resolved_at', ['resolvedAt'])
@ForeignKey('BillingAccountEntity', ['organizationId'], ['organizationId'], {
  name: 'fk_reservation_account',
  onDelete: 'CASCADE',
})
export class ReservationEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_reservation' })
  id: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  /** The key by which open reservations are counted: see `callerOf`. */
  @Column('text')
  principal: string;

  /** The link, update key or tester for whom nothing is held. Null for other callers: see `unheldBy`. */
  @Column('text', { nullable: true })
  holder: string | null;

  @Column('text')
  kind: MeteredKind;

  @Column('bigint', { name: 'size_bytes' })
  sizeBytes: string;

  /** The amount held while the reservation is active. */
  @Column('bigint', { name: 'amount_micro_usd' })
  amountMicroUsd: string;

  /** Whether the organization was metered when the reservation was made. */
  @Column('boolean')
  metered: boolean;

  /** An expired reservation holds no credit, but can still be settled, because bytes that were delivered are charged. */
  @Column('text')
  state: 'active' | 'settled' | 'released' | 'expired';

  @Column('bigint', { name: 'actual_bytes', nullable: true })
  actualBytes: string | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  expiresAt: Date;

  @Column({ type: 'timestamptz', name: 'resolved_at', precision: 3, nullable: true })
  resolvedAt: Date | null;
}
