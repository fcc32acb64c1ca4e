import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { changed } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { Logger } from '#infra/logging/logger';

/** `last_used_at` is exact to a minute, so that a busy token does not cause a write on every request. */
const PRECISION_MS = 60_000;

interface UsedToken {
  readonly id: string;
  readonly lastUsedAt: Date | null;
}

@Injectable()
export class LastUsedRepository {
  constructor(
    private readonly transactions: Transactions,
    private readonly logger: Logger,
  ) {}

  /**
   * Sets `last_used_at` to now, unless it is less than a minute old. A failure is only logged: tokens stay usable for reading while the
   * database rejects writes.
   */
  async touch(
    ctx: RequestContext,
    table: 'project_access_token' | 'personal_access_token',
    token: UsedToken,
  ): Promise<void> {
    const now = ctx.clock.now();
    const before = new Date(now.getTime() - PRECISION_MS);
    if (token.lastUsedAt !== null && token.lastUsedAt > before) return;
    try {
      await changed(
        this.transactions.manager(ctx),
        `UPDATE ${table} SET last_used_at = $2 WHERE id = $1 AND (last_used_at IS NULL OR last_used_at <= $3)`,
        [token.id, now, before],
      );
    } catch (error) {
      this.logger.warn({ err: error, table }, 'The last use of a token was not recorded');
    }
  }
}
