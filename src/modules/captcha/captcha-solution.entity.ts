import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A challenge that has been answered: nobody answers it again. */
@Entity('captcha_solution')
export class CaptchaSolutionEntity {
  @PrimaryColumn({ type: 'bytea', primaryKeyConstraintName: 'pk_captcha_solution' })
  digest: Buffer;

  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  expiresAt: Date;
}
