import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { deleteInBatches } from '#infra/database/delete-in-batches';
import { Transactions } from '#infra/database/transactions';
import { type CaptchaProof } from './captcha-provider';

@Injectable()
export class CaptchaRepository {
  constructor(private readonly transactions: Transactions) {}

  /** Spends a proof; false when it was spent before, however many try at once. */
  async spend(ctx: RequestContext, { digest, expiresAt }: CaptchaProof): Promise<boolean> {
    const rows: unknown[] = await this.transactions
      .manager(ctx)
      .query(`INSERT INTO captcha_solution (digest, expires_at) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING 1`, [
        digest,
        expiresAt,
      ]);
    return rows.length === 1;
  }

  /** An hour late, so that no process whose clock is slow takes an answer that was forgotten here. */
  prune(ctx: RequestContext): Promise<void> {
    return deleteInBatches(
      this.transactions.manager(ctx),
      'captcha_solution',
      `expires_at < (SELECT app_now() - interval '1 hour')`,
    );
  }
}
