import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * The append-only feed, in partitions of a month. No foreign keys: events outlive what they tell of. `position` and `hash` are
 * the event's place in its organization's chain, given by the database as the transaction commits (decision 16).
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

  /** From 1, without gaps, in the order of the commits. */
  @Column('bigint')
  position: string;

  @Column('bytea')
  hash: Buffer;
}
