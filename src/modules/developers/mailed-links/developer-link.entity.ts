import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

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
