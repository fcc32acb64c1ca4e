import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { changed, deleteInBatches, one } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { RefreshFamilyEntity, RefreshTokenEntity } from './refresh-family.entity';

/** A refresh token that a client sent, with its family. Expiry is judged by the database's clock. */
export interface PresentedToken {
  readonly familyId: string;
  readonly developerId: string;
  readonly familyCreatedAt: Date;
  readonly familyExpiresAt: Date;
  readonly generation: number;
  /** The family is neither revoked nor expired. */
  readonly familyValid: boolean;
  /** The token itself has expired because it was not used in time. */
  readonly expired: boolean;
  readonly used: boolean;
  /** The token was used within the leeway, and its successor is the newest token and unused. */
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

  /**
   * Finds a token by its digest and locks its family, which serializes all changes of one session. Null when there is no
   * such token.
   */
  async lock(ctx: RequestContext, digest: Buffer, leewaySeconds: number): Promise<PresentedToken | null> {
    const manager = this.transactions.manager(ctx);
    const family = await one(
      manager,
      'SELECT 1 FROM refresh_family WHERE id = (SELECT family_id FROM refresh_token WHERE digest = $1) FOR UPDATE',
      [digest],
    );
    if (!family) return null;
    return one<PresentedToken>(
      manager,
      `SELECT f.id AS "familyId", f.developer_id AS "developerId", f.created_at AS "familyCreatedAt",
              f.expires_at AS "familyExpiresAt", t.generation,
              f.revoked_at IS NULL AND f.expires_at > app_now() AS "familyValid", t.expires_at <= app_now() AS expired,
              t.used_at IS NOT NULL AS used,
              $2 > 0 AND next.used_at IS NULL AND coalesce(t.used_at > app_now() - make_interval(secs => $2), false) AS "justReplaced"
       FROM refresh_token t
       JOIN refresh_family f ON f.id = t.family_id
       LEFT JOIN refresh_token next ON next.family_id = t.family_id AND next.generation = t.generation + 1
       WHERE t.digest = $1`,
      [digest, leewaySeconds],
    );
  }

  async markUsed(ctx: RequestContext, digest: Buffer): Promise<void> {
    const manager = this.transactions.manager(ctx);
    await changed(manager, 'UPDATE refresh_token SET used_at = app_now() WHERE digest = $1', [digest]);
  }

  async revokeFamily(ctx: RequestContext, familyId: string): Promise<void> {
    await changed(
      this.transactions.manager(ctx),
      'UPDATE refresh_family SET revoked_at = app_now() WHERE id = $1 AND revoked_at IS NULL',
      [familyId],
    );
  }

  /** Deletes families that expired more than a day ago. */
  prune(ctx: RequestContext): Promise<void> {
    return deleteInBatches(
      this.transactions.manager(ctx),
      'refresh_family',
      `expires_at < (SELECT app_now() - interval '1 day')`,
    );
  }
}
