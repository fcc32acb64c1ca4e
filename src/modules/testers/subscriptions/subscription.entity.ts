import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { type CountedRows } from '#infra/row-counts/counted-rows';

const PRIMARY_KEY = 'pk_subscription';
const OF_THE_PROJECT: [string, string, string] = ['organizationId', 'projectId', 'id'];

/** A tester who gets mails about a channel's releases. Its foreign key keeps the channel from being deleted. */
@Entity('subscription')
@Index('ix_subscription_tester', ['testerId'])
@ForeignKey('ChannelEntity', ['organizationId', 'projectId', 'channelId'], OF_THE_PROJECT, {
  name: 'fk_subscription_channel',
})
@ForeignKey('TesterEntity', ['organizationId', 'projectId', 'testerId'], OF_THE_PROJECT, {
  name: 'fk_subscription_tester',
  onDelete: 'CASCADE',
})
export class SubscriptionEntity {
  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('uuid', { name: 'project_id' })
  projectId: string;

  @PrimaryColumn('uuid', { name: 'channel_id', primaryKeyConstraintName: PRIMARY_KEY })
  channelId: string;

  @PrimaryColumn('uuid', { name: 'tester_id', primaryKeyConstraintName: PRIMARY_KEY })
  testerId: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  /** The times of the mails about releases within the last hour; older ones may be in it too. */
  @Column({ type: 'timestamptz', name: 'recent_mails', array: true, default: [] })
  recentMails: Date[];

  /** When an invitation whose link opens the channel was last queued, null before. */
  @Column({ type: 'timestamptz', name: 'invited_at', precision: 3, nullable: true })
  invitedAt: Date | null;
}

export const SUBSCRIBERS_OF_CHANNEL: CountedRows = { table: 'subscription', column: 'channel_id', parent: 'channel' };

/**
 * An address that unsubscribed from a channel or, without a channel, declined the whole project. Stored as a keyed digest, so that the
 * row outlives the tester and does not reveal the address.
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
