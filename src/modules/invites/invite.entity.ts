import { Column, Entity, ForeignKey, PrimaryColumn, Unique } from 'typeorm';

/** A token of an install link. It is looked up by its digest, and sealed, because the link is shown again and again. */
@Entity('invite')
@Unique('uq_invite_digest', ['digest'])
@Unique('uq_invite_build', ['buildId'])
@ForeignKey('BuildEntity', ['organizationId', 'projectId', 'buildId'], ['organizationId', 'projectId', 'id'], {
  name: 'fk_invite_build',
  onDelete: 'CASCADE',
})
export class InviteEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_invite' })
  id: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('uuid', { name: 'project_id' })
  projectId: string;

  @Column('uuid', { name: 'build_id' })
  buildId: string;

  @Column({ type: 'bytea' })
  digest: Buffer;

  @Column({ type: 'bytea', name: 'sealed_token' })
  sealedToken: Buffer;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}
