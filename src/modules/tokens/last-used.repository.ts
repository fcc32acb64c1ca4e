import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { Transactions } from '#infra/database/transactions';

/** `last_used_at` is kept to the minute, so that a busy token does not cost a write on every request. */
const STEP_MS = 60_000;

interface UsedToken {
  readonly id: string;
  readonly lastUsedAt: Date | null;
}

@Injectable()
export class LastUsedRepository {
  constructor(private readonly transactions: Transactions) {}

  /** Notes that a token was used just now, unless that is known to the minute. */
  async touch(
    ctx: RequestContext,
    table: 'project_access_token' | 'personal_access_token',
    token: UsedToken,
  ): Promise<void> {
    const before = new Date(ctx.clock.now().getTime() - STEP_MS);
    if (token.lastUsedAt !== null && token.lastUsedAt > before) return;
    await this.transactions
      .manager(ctx)
      .query(`UPDATE ${table} SET last_used_at = $2 WHERE id = $1 AND (last_used_at IS NULL OR last_used_at <= $3)`, [
        token.id,
        ctx.clock.now(),
        before,
      ]);
  }
}
