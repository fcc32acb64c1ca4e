import { type Platform } from '#kernel/builds/platform';
import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';

/** The only table that stores a tester's address: erasing the row erases the address. */
@Entity('tester')
@Unique('uq_tester_project', ['organizationId', 'projectId', 'id'])
@Unique('uq_tester_email', ['projectId', 'emailKey'])
@Index('ix_tester_project', ['projectId', 'id'])
@ForeignKey('ProjectEntity', ['organizationId', 'projectId'], ['organizationId', 'id'], {
  name: 'fk_tester_project',
  onDelete: 'CASCADE',
})
export class TesterEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_tester' })
  id: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('uuid', { name: 'project_id' })
  projectId: string;

  @Column('text')
  email: string;

  @Column('text', { name: 'email_key' })
  emailKey: string;

  @Column('text', { nullable: true })
  name: string | null;

  @Column('text', { array: true })
  platforms: Platform[];

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}
