import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { type Platform, PLATFORMS } from '#kernel/builds/platform';

const OF_THE_PROJECT: [string, string, string] = ['organizationId', 'projectId', 'id'];

/** A build promoted to a channel. The row never changes, and is deleted with its build unless it is current. */
@Entity('release')
@Unique('uq_release_project', ['organizationId', 'projectId', 'id'])
@Unique('uq_release_sequence', ['channelId', 'sequence'])
@Unique('uq_release_platform', ['channelId', 'platform', 'id'])
@Check('ck_release_platform', `platform IN (${PLATFORMS.map((platform) => `'${platform}'`).join(', ')})`)
@Check('ck_release_sequence', 'sequence > 0')
@Index('ix_release_channel', ['channelId', 'id'])
@Index('ix_release_build', ['buildId'])
@Index('ix_release_project', ['projectId', 'id'])
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

  /** The platform of the build. */
  @Column('text')
  platform: Platform;

  /** 1 for the channel's first release. The release with the highest number of a platform is current. */
  @Column('integer')
  sequence: number;

  @Column('text', { nullable: true })
  notes: string | null;

  /** Whether the subscribers of the channel are mailed about it. */
  @Column('boolean', { default: true })
  notify: boolean;

  /** Whether apps must install it. */
  @Column('boolean', { default: false })
  mandatory: boolean;

  @Column('text', { name: 'promoted_by_kind' })
  promotedByKind: string;

  @Column('uuid', { name: 'promoted_by_id', nullable: true })
  promotedById: string | null;

  @Column({ type: 'timestamptz', name: 'promoted_at', precision: 3 })
  promotedAt: Date;
}

const PRIMARY_KEY = 'pk_current_release';

/** The current release of a channel and platform. Its foreign key keeps the release, and so the build, from being deleted. */
@Entity('current_release')
@Unique('uq_current_release_release', ['releaseId'])
@ForeignKey('ReleaseEntity', ['channelId', 'platform', 'releaseId'], ['channelId', 'platform', 'id'], {
  name: 'fk_current_release_release',
})
export class CurrentReleaseEntity {
  @PrimaryColumn('uuid', { name: 'channel_id', primaryKeyConstraintName: PRIMARY_KEY })
  channelId: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: PRIMARY_KEY })
  platform: Platform;

  @Column('uuid', { name: 'release_id' })
  releaseId: string;
}
