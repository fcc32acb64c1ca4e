import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { type Platform, PLATFORMS } from '#kernel/builds/platform';

const PRIMARY_KEY = 'pk_min_supported_version';
const PROJECT: [string, string] = ['organizationId', 'projectId'];

/** The lowest version of a platform that a project still supports. Older apps must be updated. */
@Entity('min_supported_version')
@Index('ix_min_supported_version_project', PROJECT)
@Check('ck_min_supported_version_platform', `platform IN (${PLATFORMS.map((platform) => `'${platform}'`).join(', ')})`)
@ForeignKey('ProjectEntity', PROJECT, ['organizationId', 'id'], {
  name: 'fk_min_supported_version_project',
  onDelete: 'CASCADE',
})
export class MinSupportedVersionEntity {
  @PrimaryColumn('uuid', { name: 'project_id', primaryKeyConstraintName: PRIMARY_KEY })
  projectId: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: PRIMARY_KEY })
  platform: Platform;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  /** Of Android the version code. */
  @Column('text')
  version: string;
}
