import { Column } from 'typeorm';

/** The columns of every kind of access token. Of the value, only the digest and the last characters are stored. */
export abstract class AccessTokenEntity {
  /** Each table names its own primary key. */
  abstract id: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('text')
  name: string;

  @Column({ type: 'bytea' })
  digest: Buffer;

  @Column('text')
  last4: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  /** Null when the token is valid until it is revoked. */
  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3, nullable: true })
  expiresAt: Date | null;

  @Column({ type: 'timestamptz', name: 'revoked_at', precision: 3, nullable: true })
  revokedAt: Date | null;

  /** Exact to a minute. Null when the token was never used. */
  @Column({ type: 'timestamptz', name: 'last_used_at', precision: 3, nullable: true })
  lastUsedAt: Date | null;
}
