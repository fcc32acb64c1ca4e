import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The append-only feed. No foreign keys: events outlive what they tell of. */
@Entity('audit_event')
@Index('ix_audit_event_organization', ['organizationId', 'id'])
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

  @Column({ type: 'timestamptz', precision: 3 })
  time: Date;
}
