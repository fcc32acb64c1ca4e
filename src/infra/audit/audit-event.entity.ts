import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * The append-only feed, partitioned by month. It has no foreign keys, because events outlive the objects that they name. The database
 * sets `position` and `hash`, the event's place in the hash chain of its organization, at commit (docs/decisions/0016-audit-chain.md).
 */
@Entity('audit_event')
@Index('ix_audit_event_organization', ['organizationId', 'time', 'id'])
@Index('ix_audit_event_type', ['organizationId', 'type', 'time', 'id'])
@Index('ix_audit_event_actor', ['organizationId', 'actorId', 'time', 'id'])
@Index('ix_audit_event_source_ip', ['organizationId', 'sourceIp', 'time', 'id'])
@Index('ix_audit_event_chain', { synchronize: false })
export class AuditEventEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_audit_event' })
  id: string;

  @Column('uuid', { name: 'organization_id', nullable: true })
  organizationId: string | null;

  @Column('uuid', { name: 'project_id', nullable: true })
  projectId: string | null;

  @Column('text')
  type: string;

  @Column('text', { name: 'actor_kind' })
  actorKind: string;

  @Column('uuid', { name: 'actor_id', nullable: true })
  actorId: string | null;

  @Column('text', { name: 'actor_label', nullable: true })
  actorLabel: string | null;

  @Column('inet', { name: 'source_ip', nullable: true })
  sourceIp: string | null;

  @Column('text', { name: 'request_id' })
  requestId: string;

  @Column({ type: 'jsonb' })
  payload: Record<string, unknown>;

  @PrimaryColumn({ type: 'timestamptz', precision: 3, primaryKeyConstraintName: 'pk_audit_event' })
  time: Date;

  /** From 1, without gaps, in commit order. */
  @Column('bigint')
  position: string;

  @Column('bytea')
  hash: Buffer;
}

/** The events that the current transaction has recorded. The commit moves them into the feed, so no other transaction sees a row. */
@Entity('audit_intake')
export class AuditIntakeEntity {
  @PrimaryColumn('bigint', { name: 'transaction_id', primaryKeyConstraintName: 'pk_audit_intake' })
  transactionId: string;

  @PrimaryColumn('uuid', { name: 'event_id', primaryKeyConstraintName: 'pk_audit_intake' })
  eventId: string;

  @Column({ type: 'jsonb' })
  event: Record<string, unknown>;
}

/** The head of each chain: position and hash of its newest event. */
@Entity('audit_chain')
export class AuditChainEntity {
  /** The organization's id; the nil UUID for account events, which belong to no organization. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_audit_chain' })
  id: string;

  @Column('bigint')
  position: string;

  @Column('bytea')
  hash: Buffer;
}

/** The start of each chain: position and hash of the newest event that retention has deleted. */
@Entity('audit_anchor')
export class AuditAnchorEntity {
  @PrimaryColumn('uuid', { name: 'chain_id', primaryKeyConstraintName: 'pk_audit_anchor' })
  chainId: string;

  @Column('bigint')
  position: string;

  @Column('bytea')
  hash: Buffer;

  /** Older events may still exist: they are deleted together with the partition of their month. */
  @Column({ type: 'timestamptz', name: 'dropping_before', precision: 3 })
  droppingBefore: Date;
}
