import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { deleteInBatches } from '#infra/database/delete-in-batches';
import { Transactions } from '#infra/database/transactions';
import { RefreshFamilyEntity } from './refresh-family.entity';
import { RefreshTokenEntity } from './refresh-token.entity';

/** A presented refresh token with its family, which is locked. Times are told by the database's clock. */
export interface PresentedToken {
  readonly familyId: string;
  readonly developerId: string;
  readonly familyCreatedAt: Date;
  readonly familyExpiresAt: Date;
  readonly generation: number;
  /** The family has not ended. */
  readonly living: boolean;
  /** The token itself has idled too long. */
  readonly expired: boolean;
  readonly used: boolean;
  /** Used so few seconds ago, and its successor is the newest and unused. */
  readonly justReplaced: boolean;
}

@Injectable()
export class SessionsRepository {
  constructor(private readonly transactions: Transactions) {}

  async insertFamily(ctx: RequestContext, family: RefreshFamilyEntity): Promise<void> {
    await this.transactions.manager(ctx).insert(RefreshFamilyEntity, family);
  }

  async insertToken(ctx: RequestContext, token: RefreshTokenEntity): Promise<void> {
    await this.transactions.manager(ctx).insert(RefreshTokenEntity, token);
  }

  /** Finds a token and locks its family, so that everything done to one session happens in turn. */
  async lock(ctx: RequestContext, digest: Buffer, leewaySeconds: number): Promise<PresentedToken | null> {
    const manager = this.transactions.manager(ctx);
    const locked: unknown[] = await manager.query(
      'SELECT 1 FROM refresh_family WHERE id = (SELECT family_id FROM refresh_token WHERE digest = $1) FOR UPDATE',
      [digest],
    );
    if (locked.length === 0) return null;
    const rows: PresentedToken[] = await manager.query(
      `SELECT f.id AS "familyId", f.developer_id AS "developerId", f.created_at AS "familyCreatedAt",
              f.expires_at AS "familyExpiresAt", t.generation,
              f.revoked_at IS NULL AND f.expires_at > app_now() AS living, t.expires_at <= app_now() AS expired,
              t.used_at IS NOT NULL AS used,
              $2 > 0 AND next.used_at IS NULL AND coalesce(t.used_at > app_now() - make_interval(secs => $2), false) AS "justReplaced"
       FROM refresh_token t
       JOIN refresh_family f ON f.id = t.family_id
       LEFT JOIN refresh_token next ON next.family_id = t.family_id AND next.generation = t.generation + 1
       WHERE t.digest = $1`,
      [digest, leewaySeconds],
    );
    return rows[0] ?? null;
  }

  async markUsed(ctx: RequestContext, digest: Buffer): Promise<void> {
    await this.transactions
      .manager(ctx)
      .query('UPDATE refresh_token SET used_at = app_now() WHERE digest = $1', [digest]);
  }

  async revokeFamily(ctx: RequestContext, familyId: string): Promise<void> {
    await this.transactions
      .manager(ctx)
      .query('UPDATE refresh_family SET revoked_at = app_now() WHERE id = $1 AND revoked_at IS NULL', [familyId]);
  }

  /** Forgets families that ended more than a day ago. */
  prune(ctx: RequestContext): Promise<void> {
    return deleteInBatches(
      this.transactions.manager(ctx),
      'refresh_family',
      `expires_at < (SELECT app_now() - interval '1 day')`,
    );
  }
}
