import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

const PRIMARY_KEY = 'pk_tester_mail_day';

/** How many mails to testers an organization has queued for a day. */
@Entity('tester_mail_day')
@Check('ck_tester_mail_day_mails', 'mails >= 0')
@Index('ix_tester_mail_day_day', ['day'])
@ForeignKey('OrganizationEntity', ['organizationId'], ['id'], {
  name: 'fk_tester_mail_day_organization',
  onDelete: 'CASCADE',
})
export class MailDayEntity {
  @PrimaryColumn('uuid', { name: 'organization_id', primaryKeyConstraintName: PRIMARY_KEY })
  organizationId: string;

  /** In UTC. */
  @PrimaryColumn('date', { primaryKeyConstraintName: PRIMARY_KEY })
  day: string;

  @Column('integer')
  mails: number;

  /** When the people in charge were mailed that mails wait, null when they were not. */
  @Column({ type: 'timestamptz', name: 'told_at', precision: 3, nullable: true })
  toldAt: Date | null;
}
