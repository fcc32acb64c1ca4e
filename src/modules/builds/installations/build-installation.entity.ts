import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** An installation of an app that reported to run a build. */
@Entity('build_installation')
@Index('ix_build_installation_reported', ['reportedAt'])
@ForeignKey('BuildEntity', ['organizationId', 'projectId', 'buildId'], ['organizationId', 'projectId', 'id'], {
  name: 'fk_build_installation_build',
  onDelete: 'CASCADE',
})
export class BuildInstallationEntity {
  @PrimaryColumn('uuid', { name: 'build_id', primaryKeyConstraintName: 'pk_build_installation' })
  buildId: string;

  /** The first 16 bytes of a keyed digest of the id that the installation sends. The id itself is not stored. */
  @PrimaryColumn({ type: 'bytea', primaryKeyConstraintName: 'pk_build_installation' })
  digest: Buffer;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('uuid', { name: 'project_id' })
  projectId: string;

  /** When it reported the build for the first time. */
  @Column({ type: 'timestamptz', name: 'reported_at', precision: 3 })
  reportedAt: Date;
}
