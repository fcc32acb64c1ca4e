import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { type PatScope } from '#kernel/access/roles';
import { type DeviceDecision } from './device-login';

/** A login of a program that waits for a developer in a browser. Both codes are stored as digests. */
@Entity('device_login')
@Unique('uq_device_login_user_digest', ['userDigest'])
@Check('ck_device_login_scopes', 'cardinality(scopes) > 0')
@Check('ck_device_login_decision', `decision IN ('confirmed', 'denied')`)
@Check('ck_device_login_developer', '(decision IS NULL) = (developer_id IS NULL)')
@Check('ck_device_login_organization', `(decision IS NOT DISTINCT FROM 'confirmed') = (organization_id IS NOT NULL)`)
@Index('ix_device_login_expires_at', ['expiresAt'])
@Index('ix_device_login_developer', ['developerId', 'organizationId'])
@ForeignKey('MembershipEntity', ['organizationId', 'developerId'], ['organizationId', 'developerId'], {
  name: 'fk_device_login_membership',
  onDelete: 'CASCADE',
})
export class DeviceLoginEntity {
  /** SHA-256 of the device code, which has 256 random bits. */
  @PrimaryColumn({ type: 'bytea', name: 'device_digest', primaryKeyConstraintName: 'pk_device_login' })
  deviceDigest: Buffer;

  /** Keyed digest of the user code, which is short enough to be guessed. */
  @Column({ type: 'bytea', name: 'user_digest' })
  userDigest: Buffer;

  @Column('text')
  host: string;

  @Column('text', { array: true })
  scopes: PatScope[];

  /** The IP address of the program. */
  @Column('text', { nullable: true })
  address: string | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  expiresAt: Date;

  @Column('integer', { name: 'interval_seconds' })
  intervalSeconds: number;

  /** The last request of the program for its token. Null when there was none. */
  @Column({ type: 'timestamptz', name: 'polled_at', precision: 3, nullable: true })
  polledAt: Date | null;

  /** Null until a developer has decided. */
  @Column('text', { nullable: true })
  decision: DeviceDecision | null;

  /** The developer who decided. */
  @ForeignKey('DeveloperEntity', { name: 'fk_device_login_developer', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'developer_id', nullable: true })
  developerId: string | null;

  /** The organization of the token. Null unless the login is confirmed. */
  @Column('uuid', { name: 'organization_id', nullable: true })
  organizationId: string | null;

  /** When the token was handed out. */
  @Column({ type: 'timestamptz', name: 'used_at', precision: 3, nullable: true })
  usedAt: Date | null;
}
