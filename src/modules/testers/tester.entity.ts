import { type Platform } from '#kernel/builds/platform';
import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';

/** The only table that stores a tester's address: erasing the row erases the address. */
@Entity('tester')
@Unique('uq_tester_project', ['organizationId', 'projectId', 'id'])
@Unique('uq_tester_email', ['projectId', 'emailKey'])
@Index('ix_tester_project', ['projectId', 'id'])
@Index('ix_tester_organization', ['organizationId', 'id'])
@Index('ix_tester_without_digest', ['id'], { where: 'address_digest IS NULL' })
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

  /** Finds the suppressions of the address without the key of the digest. Null until the job has filled it, in rows of earlier releases. */
  @Column({ type: 'bytea', name: 'address_digest', nullable: true })
  addressDigest: Buffer | null;

  @Column('text', { nullable: true })
  name: string | null;

  /** No longer written or read. A later release drops the column. */
  @Column('text', { array: true })
  platforms: Platform[];

  /** The platforms that the tester chose to get mails about releases of. Empty: all. */
  @Column('text', { name: 'mail_platforms', array: true, default: [] })
  mailPlatforms: Platform[];

  /** When the last mail with an install link was queued to the tester, null before. */
  @Column({ type: 'timestamptz', name: 'invited_at', precision: 3, nullable: true })
  invitedAt: Date | null;

  /** When the tester first opened one of their links, null before. */
  @Column({ type: 'timestamptz', name: 'opened_at', precision: 3, nullable: true })
  openedAt: Date | null;

  /** How many mails were queued to the tester while `openedAt` was null. */
  @Column('smallint', { name: 'unopened_mails', default: 0 })
  unopenedMails: number;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}
