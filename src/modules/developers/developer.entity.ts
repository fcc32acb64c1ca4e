import { Column, Entity, PrimaryColumn, Unique } from 'typeorm';

/** A person with a login. */
@Entity('developer')
@Unique('uq_developer_email_key', ['emailKey'])
export class DeveloperEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_developer' })
  id: string;

  /** As they typed it: mails go there. */
  @Column('text')
  email: string;

  /** How two addresses are told apart. */
  @Column('text', { name: 'email_key' })
  emailKey: string;

  @Column('text', { nullable: true })
  name: string | null;

  @Column('text', { name: 'password_hash' })
  passwordHash: string;

  @Column({ type: 'timestamptz', name: 'email_verified_at', precision: 3, nullable: true })
  emailVerifiedAt: Date | null;

  /** JWTs and sessions begun before this are refused (specification §5). */
  @Column({ type: 'timestamptz', name: 'min_issued_at', precision: 3 })
  minIssuedAt: Date;

  /** To how many organizations that they made the trial credit was given, those that are gone included. */
  @Column('integer', { name: 'trial_credits', default: 0 })
  trialCredits: number;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}
