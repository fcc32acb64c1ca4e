import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

const OF_THE_PROJECT: [string, string, string] = ['organizationId', 'projectId', 'buildId'];

/** The developer's signature of a build's file, by which the updater of the app verifies it. */
@Entity('update_signature')
@Index('ix_update_signature_build', OF_THE_PROJECT)
@ForeignKey('BuildEntity', OF_THE_PROJECT, ['organizationId', 'projectId', 'id'], {
  name: 'fk_update_signature_build',
  onDelete: 'CASCADE',
})
export class UpdateSignatureEntity {
  @PrimaryColumn('uuid', { name: 'build_id', primaryKeyConstraintName: 'pk_update_signature' })
  buildId: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('uuid', { name: 'project_id' })
  projectId: string;

  @Column('text')
  signature: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}
