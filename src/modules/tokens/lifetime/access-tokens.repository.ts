import { type EntityTarget, type FindOptionsWhere, IsNull, MoreThan, type Repository } from 'typeorm';
import { type RequestContext } from '#kernel/context/request-context';
import { type ListName, type Page, type PageRequest } from '#kernel/cursor';
import { findPage } from '#infra/database/find-page';
import { changed, deleteOlder, insertRow } from '#infra/database/sql';
import { type Transactions } from '#infra/database/transactions';
import { type Logger } from '#infra/logging/logger';
import { type AccessTokenEntity } from './access-token.entity';

/** `last_used_at` is exact to a minute, so that a busy token does not cause a write on every request. */
const PRECISION_MS = 60_000;

/** The statements of every kind of access token. `Scope` is what a request must name to find a token. */
export abstract class AccessTokensRepository<Token extends AccessTokenEntity, Scope extends object> {
  protected constructor(
    protected readonly transactions: Transactions,
    private readonly logger: Logger,
    private readonly entity: EntityTarget<Token>,
  ) {}

  async insert(tx: RequestContext, token: Token): Promise<void> {
    await insertRow(this.transactions.manager(tx), this.entity, token);
  }

  /** Expired tokens are included; revoked tokens are not. */
  findUnrevoked(ctx: RequestContext, scope: Scope, id: string): Promise<Token | null> {
    return this.tokens(ctx).findOneBy(unrevoked<Token>({ ...scope, id }));
  }

  /** @returns false when the token does not exist or is already revoked. */
  async revoke(tx: RequestContext, scope: Scope, id: string): Promise<boolean> {
    const { affected } = await this.transactions
      .manager(tx)
      .update<AccessTokenEntity>(this.entity, unrevoked({ ...scope, id }), { revokedAt: tx.clock.now() });
    return affected === 1;
  }

  /**
   * Sets `last_used_at` to now, unless it is less than a minute old. A failure is only logged: tokens stay usable for reading while the
   * database rejects writes.
   */
  async touch(ctx: RequestContext, { id, lastUsedAt }: Pick<Token, 'id' | 'lastUsedAt'>): Promise<void> {
    const now = ctx.clock.now();
    const before = new Date(now.getTime() - PRECISION_MS);
    if (lastUsedAt !== null && lastUsedAt > before) return;
    const table = this.tableName(ctx);
    try {
      await changed(
        this.transactions.manager(ctx),
        `UPDATE ${table} SET last_used_at = $2 WHERE id = $1 AND (last_used_at IS NULL OR last_used_at <= $3)`,
        [id, now, before],
      );
    } catch (error) {
      this.logger.warn({ err: error, table }, 'The last use of a token was not recorded');
    }
  }

  /** Deletes tokens that expired 90 days ago. */
  prune(ctx: RequestContext): Promise<void> {
    return deleteOlder(this.transactions.manager(ctx), this.tableName(ctx), {
      column: 'expires_at',
      age: `interval '90 days'`,
    });
  }

  /** Counts tokens that are neither revoked nor expired. */
  protected countValid(ctx: RequestContext, owner: object): Promise<number> {
    return this.tokens(ctx).countBy([
      unrevoked<Token>({ ...owner, expiresAt: IsNull() }),
      unrevoked<Token>({ ...owner, expiresAt: MoreThan(ctx.clock.now()) }),
    ]);
  }

  /** Expired tokens are included; revoked tokens are not. */
  protected pageOf(ctx: RequestContext, owner: object, page: PageRequest, list: ListName): Promise<Page<Token>> {
    return findPage(this.tokens(ctx), unrevoked<Token>(owner), page, list);
  }

  protected tokens(ctx: RequestContext): Repository<Token> {
    return this.transactions.manager(ctx).getRepository(this.entity);
  }

  private tableName(ctx: RequestContext): string {
    return this.tokens(ctx).metadata.tableName;
  }
}

const unrevoked = <Token extends AccessTokenEntity>(conditions: object): FindOptionsWhere<Token> =>
  ({ ...conditions, revokedAt: IsNull() }) as FindOptionsWhere<Token>;
