import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';

/** A named release slot of a project. */
@Entity('channel')
@Unique('uq_channel_project', ['organizationId', 'projectId', 'id'])
@Unique('uq_channel_name', ['projectId', 'name'])
@Check('ck_channel_last_sequence', 'last_sequence >= 0')
@Index('ix_channel_project', ['projectId', 'id'])
@ForeignKey('ProjectEntity', ['organizationId', 'projectId'], ['organizationId', 'id'], { name: 'fk_channel_project' })
export class ChannelEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_channel' })
  id: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('uuid', { name: 'project_id' })
  projectId: string;

  @Column('text')
  name: string;

  /** The number of the channel's last release, also when that was withdrawn. */
  @Column('integer', { name: 'last_sequence' })
  lastSequence: number;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}
