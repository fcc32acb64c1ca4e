import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** A time-based one-time password (RFC 6238) of a developer. Unconfirmed, it asks for nothing yet. */
@Entity('second_factor')
export class SecondFactorEntity {
  @ForeignKey('DeveloperEntity', { name: 'fk_second_factor_developer', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { name: 'developer_id', primaryKeyConstraintName: 'pk_second_factor' })
  developerId: string;

  @Column({ type: 'bytea', name: 'sealed_secret' })
  sealedSecret: Buffer;

  @Column({ type: 'timestamptz', name: 'confirmed_at', precision: 3, nullable: true })
  confirmedAt: Date | null;

  /** The time step of the last code that was accepted: a code works once. */
  @Column('bigint', { name: 'last_step' })
  lastStep: string;

  /** Since the last right one. */
  @Column('integer', { name: 'wrong_codes', default: 0 })
  wrongCodes: number;

  /** Until then no code is looked at. */
  @Column({ type: 'timestamptz', name: 'blocked_until', precision: 3, nullable: true })
  blockedUntil: Date | null;
}
