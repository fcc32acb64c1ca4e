import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A count of failed logins. It exists for addresses with and without an account alike. */
@Entity('failed_login')
@Index('ix_failed_login_ends_at', ['endsAt'])
export class FailedLoginEntity {
  /** A keyed digest of what is counted: an e-mail address, an address and a network, or an address and a device. */
  @PrimaryColumn({ type: 'bytea', primaryKeyConstraintName: 'pk_failed_login' })
  digest: Buffer;

  @Column('integer')
  failures: number;

  /** When the count starts again from zero. */
  @Column({ type: 'timestamptz', name: 'ends_at', precision: 3 })
  endsAt: Date;
}
