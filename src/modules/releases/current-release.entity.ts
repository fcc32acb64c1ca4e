import { Column, Entity, ForeignKey, PrimaryColumn, Unique } from 'typeorm';
import { type Platform } from '#kernel/builds/platform';

const PRIMARY_KEY = 'pk_current_release';

/** Which release of a channel is current, one per platform. Its reference keeps that release, and so its build, from being deleted. */
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
