import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { type Platform } from '#kernel/builds/platform';

/** The bundle id that a project's first build of a platform brought: later ones must have the same (contract §7). */
@Entity('pinned_bundle_id')
@ForeignKey('ProjectEntity', ['organizationId', 'projectId'], ['organizationId', 'id'], {
  name: 'fk_pinned_bundle_id_project',
  onDelete: 'CASCADE',
})
export class PinnedBundleIdEntity {
  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @PrimaryColumn('uuid', { name: 'project_id', primaryKeyConstraintName: 'pk_pinned_bundle_id' })
  projectId: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'pk_pinned_bundle_id' })
  platform: Platform;

  @Column('text', { name: 'bundle_id' })
  bundleId: string;
}
