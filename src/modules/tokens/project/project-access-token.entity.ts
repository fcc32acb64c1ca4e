import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { type ProjectRole } from '#kernel/access/roles';

/** A credential for CI, owned by a project. Only its digest is stored. */
@Entity('project_access_token')
@Unique('uq_project_access_token_digest', ['digest'])
@Unique('uq_project_access_token_previous', ['previousDigest'])
@Check('ck_project_access_token_previous', '(previous_digest IS NULL) = (previous_until IS NULL)')
@Index('ix_project_access_token_project', ['projectId', 'id'])
@Index('ix_project_access_token_expires', ['expiresAt'], { where: 'expires_at IS NOT NULL' })
@Index('ix_project_access_token_creator', ['createdBy'])
@Index('ix_project_access_token_rotator', ['rotatedBy'])
@ForeignKey('ProjectEntity', ['organizationId', 'projectId'], ['organizationId', 'id'], {
  name: 'fk_project_access_token_project',
  onDelete: 'CASCADE',
})
export class ProjectAccessTokenEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_project_access_token' })
  id: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('uuid', { name: 'project_id' })
  projectId: string;

  @Column('text')
  name: string;

  @Column('text')
  role: ProjectRole;

  @Column({ type: 'bytea' })
  digest: Buffer;

  /** The digest of the value before the last rotation, which is valid until `previousUntil`. */
  @Column({ type: 'bytea', name: 'previous_digest', nullable: true })
  previousDigest: Buffer | null;

  @Column({ type: 'timestamptz', name: 'previous_until', precision: 3, nullable: true })
  previousUntil: Date | null;

  @Column('text')
  last4: string;

  @ForeignKey('DeveloperEntity', { name: 'fk_project_access_token_creator', onDelete: 'SET NULL' })
  @Column('uuid', { name: 'created_by', nullable: true })
  createdBy: string | null;

  /** The developer who last rotated it. The id stays after their account is deleted. `null` when it was never rotated. */
  @Column('uuid', { name: 'rotated_by', nullable: true })
  rotatedBy: string | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3, nullable: true })
  expiresAt: Date | null;

  @Column({ type: 'timestamptz', name: 'revoked_at', precision: 3, nullable: true })
  revokedAt: Date | null;

  @Column({ type: 'timestamptz', name: 'last_used_at', precision: 3, nullable: true })
  lastUsedAt: Date | null;
}
