import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/**
 * Somebody who left a channel or, without one, the whole project. Kept under a keyed digest of the address, so that it outlives
 * the tester and still names nobody.
 */
@Entity('suppression')
@Index('uq_suppression_project', ['projectId', 'addressDigest'], { unique: true, where: 'channel_id IS NULL' })
@Index('uq_suppression_channel', ['projectId', 'addressDigest', 'channelId'], {
  unique: true,
  where: 'channel_id IS NOT NULL',
})
@Index('ix_suppression_project', ['projectId'])
@Index('ix_suppression_channel', ['channelId'])
@ForeignKey('ProjectEntity', ['organizationId', 'projectId'], ['organizationId', 'id'], {
  name: 'fk_suppression_project',
  onDelete: 'CASCADE',
})
@ForeignKey('ChannelEntity', ['organizationId', 'projectId', 'channelId'], ['organizationId', 'projectId', 'id'], {
  name: 'fk_suppression_channel',
  onDelete: 'CASCADE',
})
export class SuppressionEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_suppression' })
  id: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('uuid', { name: 'project_id' })
  projectId: string;

  @Column('uuid', { name: 'channel_id', nullable: true })
  channelId: string | null;

  @Column({ type: 'bytea', name: 'address_digest' })
  addressDigest: Buffer;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}
