import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

const PRIMARY_KEY = 'pk_release_mail';
const OF_THE_PROJECT: [string, string, string] = ['organizationId', 'projectId', 'id'];

/** A mail to a tester about a release, waiting or queued. Marked as queued in the transaction that queues the mail. */
@Entity('release_mail')
@Index('ix_release_mail_tester', ['testerId'])
@Index('ix_release_mail_due', ['dueAt'], { where: 'queued_at IS NULL' })
@ForeignKey('ReleaseEntity', ['organizationId', 'projectId', 'releaseId'], OF_THE_PROJECT, {
  name: 'fk_release_mail_release',
  onDelete: 'CASCADE',
})
@ForeignKey('TesterEntity', ['organizationId', 'projectId', 'testerId'], OF_THE_PROJECT, {
  name: 'fk_release_mail_tester',
  onDelete: 'CASCADE',
})
export class ReleaseMailEntity {
  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('uuid', { name: 'project_id' })
  projectId: string;

  @PrimaryColumn('uuid', { name: 'release_id', primaryKeyConstraintName: PRIMARY_KEY })
  releaseId: string;

  @PrimaryColumn('uuid', { name: 'tester_id', primaryKeyConstraintName: PRIMARY_KEY })
  testerId: string;

  /** Null while the mail waits. */
  @Column({ type: 'timestamptz', name: 'queued_at', precision: 3, nullable: true })
  queuedAt: Date | null;

  /** When a waiting mail is tried again. */
  @Column({ type: 'timestamptz', name: 'due_at', precision: 3, nullable: true })
  dueAt: Date | null;
}
