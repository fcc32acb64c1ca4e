import { Injectable } from '@nestjs/common';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, type Repository, Unique } from 'typeorm';
import { type PatScope } from '#kernel/access/roles';
import { type RequestContext } from '#kernel/context/request-context';
import { deleteOlder } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
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

  /** The session in which the developer confirmed. Null unless the login is confirmed. */
  @Column('uuid', { name: 'session_id', nullable: true })
  sessionId: string | null;

  /** When the token was handed out. */
  @Column({ type: 'timestamptz', name: 'used_at', precision: 3, nullable: true })
  usedAt: Date | null;
}

@Injectable()
export class DeviceLoginsRepository {
  constructor(private readonly transactions: Transactions) {}

  async insert(ctx: RequestContext, login: DeviceLoginEntity): Promise<void> {
    await this.logins(ctx).insert(login);
  }

  /** Finds a login by one of its codes and locks it until the transaction ends, so that each step happens once. Includes expired ones. */
  lock(
    tx: RequestContext,
    code: Pick<DeviceLoginEntity, 'deviceDigest'> | Pick<DeviceLoginEntity, 'userDigest'>,
  ): Promise<DeviceLoginEntity | null> {
    return this.logins(tx).findOne({ where: code, lock: { mode: 'pessimistic_write' } });
  }

  async update(
    tx: RequestContext,
    { deviceDigest }: DeviceLoginEntity,
    change: Partial<
      Pick<
        DeviceLoginEntity,
        'polledAt' | 'intervalSeconds' | 'decision' | 'developerId' | 'organizationId' | 'sessionId' | 'usedAt'
      >
    >,
  ): Promise<void> {
    await this.logins(tx).update({ deviceDigest }, change);
  }

  /** Deletes logins that expired an hour ago. Until then a program can query the outcome of its login. */
  prune(ctx: RequestContext): Promise<void> {
    return deleteOlder(this.transactions.manager(ctx), 'device_login', {
      column: 'expires_at',
      age: `interval '1 hour'`,
    });
  }

  private logins(ctx: RequestContext): Repository<DeviceLoginEntity> {
    return this.transactions.manager(ctx).getRepository(DeviceLoginEntity);
  }
}
