import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { type Language } from '#kernel/text/language';

/** A person with a login. */
@Entity('developer')
@Unique('uq_developer_email_key', ['emailKey'])
@Index('ix_developer_unverified', ['createdAt'], { where: 'email_verified_at IS NULL' })
@Check('ck_developer_language', `language IN ('en', 'de')`)
export class DeveloperEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_developer' })
  id: string;

  /** The address as the developer typed it. Mails are sent to it. */
  @Column('text')
  email: string;

  /** The normalized address. It is unique. */
  @Column('text', { name: 'email_key' })
  emailKey: string;

  @Column('text', { nullable: true })
  name: string | null;

  @Column('text', { name: 'password_hash' })
  passwordHash: string;

  @Column({ type: 'timestamptz', name: 'email_verified_at', precision: 3, nullable: true })
  emailVerifiedAt: Date | null;

  /** JWTs and sessions that were issued before this time are invalid. A logout raises it. */
  @Column({ type: 'timestamptz', name: 'min_issued_at', precision: 3 })
  minIssuedAt: Date;

  /** The language of the account's mails. */
  @Column('text', { default: 'en' })
  language: Language;

  /** When an operator suspended the account; otherwise null. A suspended account cannot be used with any credential. */
  @Column({ type: 'timestamptz', name: 'suspended_at', precision: 3, nullable: true })
  suspendedAt: Date | null;

  /** The number of organizations of this developer that got the trial credit, including deleted ones. */
  @Column('integer', { name: 'trial_credits', default: 0 })
  trialCredits: number;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}

export type LinkPurpose = 'verify_email' | 'reset_password' | 'change_email';

/** The hours until a link expires. */
export const LINK_HOURS: Readonly<Record<LinkPurpose, number>> = {
  verify_email: 24,
  reset_password: 1,
  change_email: 1,
};

/** A one-time link that was sent by mail. Only the digest of its token is stored. */
@Entity('developer_link')
@Check('ck_developer_link_purpose', `purpose IN ('verify_email', 'reset_password', 'change_email')`)
@Check('ck_developer_link_new_email', `(purpose = 'change_email') = (new_email IS NOT NULL)`)
@Index('ix_developer_link_developer', ['developerId'])
@Index('ix_developer_link_expires_at', ['expiresAt'], { where: `purpose <> 'verify_email' OR used_at IS NULL` })
export class DeveloperLinkEntity {
  @PrimaryColumn({ type: 'bytea', primaryKeyConstraintName: 'pk_developer_link' })
  digest: Buffer;

  @ForeignKey('DeveloperEntity', { name: 'fk_developer_link_developer', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'developer_id' })
  developerId: string;

  @Column('text')
  purpose: LinkPurpose;

  /** The new address of the account, for a link that changes it; otherwise null. */
  @Column('text', { name: 'new_email', nullable: true })
  newEmail: string | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  expiresAt: Date;

  @Column({ type: 'timestamptz', name: 'used_at', precision: 3, nullable: true })
  usedAt: Date | null;
}
