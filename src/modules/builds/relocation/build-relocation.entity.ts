import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * The relocation of an artifact to another storage account: the blob is copied, the build is updated, the old blob is deleted
 * later. The row is inserted before the copy and deleted with the old blob, so a killed process leaves no unknown blob.
 */
@Entity('build_move')
@Check('ck_build_move_state', `state IN ('copying', 'copied')`)
@Check('ck_build_move_delete_after', `(delete_after IS NOT NULL) = (state = 'copied')`)
@Index('uq_build_move_copying', ['buildId'], { unique: true, where: `state = 'copying'` })
@Index('ix_build_move_organization', ['organizationId'])
@Index('ix_build_move_delete_after', ['deleteAfter'])
export class BuildRelocationEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_build_move' })
  id: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('uuid', { name: 'build_id' })
  buildId: string;

  @Column('text')
  state: 'copying' | 'copied';

  @Column('text', { name: 'from_account' })
  fromAccount: string;

  @Column('text', { name: 'from_key' })
  fromKey: string;

  @Column('text', { name: 'to_account' })
  toAccount: string;

  @Column('text', { name: 'to_key' })
  toKey: string;

  /** Once copied: when the old blob is deleted. Until then, running downloads read it. */
  @Column({ type: 'timestamptz', name: 'delete_after', precision: 3, nullable: true })
  deleteAfter: Date | null;
}
