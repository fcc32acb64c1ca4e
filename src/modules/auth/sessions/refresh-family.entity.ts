import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';

/** One login, and the refresh tokens that descend from it. */
@Entity('refresh_family')
@Index('ix_refresh_family_developer', ['developerId'])
@Index('ix_refresh_family_expires_at', ['expiresAt'])
export class RefreshFamilyEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_refresh_family' })
  id: string;

  @ForeignKey('DeveloperEntity', { name: 'fk_refresh_family_developer', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'developer_id' })
  developerId: string;

  /** The family is invalid if it was created before the developer's `minIssuedAt`. */
  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  /** No token of the family is valid after this time. */
  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  expiresAt: Date;

  @Column({ type: 'timestamptz', name: 'revoked_at', precision: 3, nullable: true })
  revokedAt: Date | null;

  /** The IP address of the login. Null for a session that an earlier release started. */
  @Column('text', { nullable: true })
  address: string | null;

  /** The block of the address (`widerNetwork`), by which logins from unknown networks are recognized. */
  @Column('text', { nullable: true })
  network: string | null;

  /** The `User-Agent` header of the login, at most 300 characters. */
  @Column('text', { name: 'user_agent', nullable: true })
  userAgent: string | null;

  /** The time of the last refresh. Null when there was none. */
  @Column({ type: 'timestamptz', name: 'last_used_at', precision: 3, nullable: true })
  lastUsedAt: Date | null;
}

/** A single-use refresh token. Used tokens are kept until the family expires, so that their reuse can be detected. */
@Entity('refresh_token')
@Unique('uq_refresh_token_generation', ['familyId', 'generation'])
export class RefreshTokenEntity {
  @PrimaryColumn({ type: 'bytea', primaryKeyConstraintName: 'pk_refresh_token' })
  digest: Buffer;

  @ForeignKey('RefreshFamilyEntity', { name: 'fk_refresh_token_family', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'family_id' })
  familyId: string;

  /** 0 for the token of the login, then 1 higher for each refresh. */
  @Column('integer')
  generation: number;

  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  expiresAt: Date;

  @Column({ type: 'timestamptz', name: 'used_at', precision: 3, nullable: true })
  usedAt: Date | null;
}
