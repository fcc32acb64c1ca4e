import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

const PRIMARY_KEY = 'pk_subscription';
const OF_THE_PROJECT: [string, string, string] = ['organizationId', 'projectId', 'id'];

/** A tester who is told about a channel's releases. Keeps the channel from being deleted. */
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
}
