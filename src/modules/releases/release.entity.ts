import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { type Platform, PLATFORMS } from '#kernel/builds/platform';

const OF_THE_PROJECT: [string, string, string] = ['organizationId', 'projectId', 'id'];

/** A build promoted to a channel: a fact that never changes. It goes with its build, unless it is current. */
@Entity('release')
@Unique('uq_release_project', ['organizationId', 'projectId', 'id'])
@Unique('uq_release_sequence', ['channelId', 'sequence'])
@Unique('uq_release_platform', ['channelId', 'platform', 'id'])
@Check('ck_release_platform', `platform IN (${PLATFORMS.map((platform) => `'${platform}'`).join(', ')})`)
@Check('ck_release_sequence', 'sequence > 0')
@Index('ix_release_channel', ['channelId', 'id'])
@Index('ix_release_build', ['buildId'])
@ForeignKey('ChannelEntity', ['organizationId', 'projectId', 'channelId'], OF_THE_PROJECT, {
  name: 'fk_release_channel',
})
@ForeignKey('BuildEntity', ['organizationId', 'projectId', 'buildId'], OF_THE_PROJECT, {
  name: 'fk_release_build',
  onDelete: 'CASCADE',
})
export class ReleaseEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_release' })
  id: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('uuid', { name: 'project_id' })
  projectId: string;

  @Column('uuid', { name: 'channel_id' })
  channelId: string;

  @Column('uuid', { name: 'build_id' })
  buildId: string;

  /** The build's. */
  @Column('text')
  platform: Platform;

  /** 1 for the channel's first release; the highest of a platform is current. */
  @Column('integer')
  sequence: number;

  @Column('text', { nullable: true })
  notes: string | null;

  @Column('text', { name: 'promoted_by_kind' })
  promotedByKind: string;

  @Column('uuid', { name: 'promoted_by_id', nullable: true })
  promotedById: string | null;

  @Column({ type: 'timestamptz', name: 'promoted_at', precision: 3 })
  promotedAt: Date;
}
