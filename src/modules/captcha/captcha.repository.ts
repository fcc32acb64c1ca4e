import { Injectable } from '@nestjs/common';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { type RequestContext } from '#kernel/context/request-context';
import { deleteOlder, one } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { type CaptchaProof } from './altcha-captcha';

/** A challenge whose solution was used. Keeps a solution from being used twice. */
@Entity('captcha_solution')
@Index('ix_captcha_solution_expires_at', ['expiresAt'])
export class CaptchaSolutionEntity {
  @PrimaryColumn({ type: 'bytea', primaryKeyConstraintName: 'pk_captcha_solution' })
  digest: Buffer;

  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  expiresAt: Date;
}

@Injectable()
export class CaptchaRepository {
  constructor(private readonly transactions: Transactions) {}

  /** Marks the challenge of a proof as used. Atomic: of concurrent calls exactly one returns true. */
  async markUsed(ctx: RequestContext, { digest, expiresAt }: CaptchaProof): Promise<boolean> {
    const inserted = await one(
      this.transactions.manager(ctx),
      `INSERT INTO captcha_solution (digest, expires_at) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING 1`,
      [digest, expiresAt],
    );
    return inserted !== null;
  }

  /** Waits an hour after expiry, so that a process with a slow clock does not accept a solution whose row was deleted. */
  prune(ctx: RequestContext): Promise<void> {
    return deleteOlder(this.transactions.manager(ctx), 'captcha_solution', {
      column: 'expires_at',
      age: `interval '1 hour'`,
    });
  }
}
