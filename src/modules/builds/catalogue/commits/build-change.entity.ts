import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { type BuildChanges, type BuildCommit } from './build-commits';

/** What changed since the previous build, as the upload said. Builds whose upload said nothing have no row. Lists do not read it. */
@Entity('build_change')
@ForeignKey('BuildEntity', ['organizationId', 'projectId', 'buildId'], ['organizationId', 'projectId', 'id'], {
  name: 'fk_build_change_build',
  onDelete: 'CASCADE',
})
export class BuildChangeEntity implements BuildChanges {
  @PrimaryColumn('uuid', { name: 'build_id', primaryKeyConstraintName: 'pk_build_change' })
  buildId: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('uuid', { name: 'project_id' })
  projectId: string;

  @Column('text', { name: 'pull_request_title', nullable: true })
  pullRequestTitle: string | null;

  @Column({ type: 'jsonb', nullable: true })
  commits: readonly BuildCommit[] | null;

  @Column('text', { name: 'commits_since', nullable: true })
  commitsSince: string | null;
}
