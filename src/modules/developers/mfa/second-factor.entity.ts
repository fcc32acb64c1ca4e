import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** The time-based one-time password (TOTP, RFC 6238) of a developer. Until it is confirmed, a login needs no code. */
@Entity('second_factor')
export class SecondFactorEntity {
  @ForeignKey('DeveloperEntity', { name: 'fk_second_factor_developer', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { name: 'developer_id', primaryKeyConstraintName: 'pk_second_factor' })
  developerId: string;

  @Column({ type: 'bytea', name: 'sealed_secret' })
  sealedSecret: Buffer;

  @Column({ type: 'timestamptz', name: 'confirmed_at', precision: 3, nullable: true })
  confirmedAt: Date | null;

  /** The time step of the last accepted code. Only codes of later steps are accepted, so that a code works once. */
  @Column('bigint', { name: 'last_step' })
  lastStep: string;

  /** The number of wrong codes since the last correct one. */
  @Column('integer', { name: 'wrong_codes', default: 0 })
  wrongCodes: number;

  /** The end of the lockout: until then no code is checked. */
  @Column({ type: 'timestamptz', name: 'blocked_until', precision: 3, nullable: true })
  blockedUntil: Date | null;
}

/** A one-time code that replaces a lost second factor. The row is deleted when the code is used. */
@Entity('recovery_code')
export class RecoveryCodeEntity {
  @ForeignKey('SecondFactorEntity', 'developerId', { name: 'fk_recovery_code_factor', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { name: 'developer_id', primaryKeyConstraintName: 'pk_recovery_code' })
  developerId: string;

  @PrimaryColumn({ type: 'bytea', primaryKeyConstraintName: 'pk_recovery_code' })
  digest: Buffer;
}
