import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A challenge whose solution was used. Keeps a solution from being used twice. */
@Entity('captcha_solution')
@Index('ix_captcha_solution_expires_at', ['expiresAt'])
export class CaptchaSolutionEntity {
  @PrimaryColumn({ type: 'bytea', primaryKeyConstraintName: 'pk_captcha_solution' })
  digest: Buffer;

  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  expiresAt: Date;
}
