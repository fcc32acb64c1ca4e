import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { Transactions } from '#infra/database/transactions';
import { RecoveryCodeEntity } from './recovery-code.entity';
import { SecondFactorEntity } from './second-factor.entity';

@Injectable()
export class SecondFactorsRepository {
  constructor(private readonly transactions: Transactions) {}

  find(ctx: RequestContext, developerId: string): Promise<SecondFactorEntity | null> {
    return this.transactions.manager(ctx).findOneBy(SecondFactorEntity, { developerId });
  }

  /** The same, locked, so that a code that is sent twice at once is accepted once. */
  lock(ctx: RequestContext, developerId: string): Promise<SecondFactorEntity | null> {
    return this.transactions
      .manager(ctx)
      .findOne(SecondFactorEntity, { where: { developerId }, lock: { mode: 'pessimistic_write' } });
  }

  /** Starts over, unless a confirmed one is there: then false. */
  async replaceUnconfirmed(ctx: RequestContext, developerId: string, sealedSecret: Buffer): Promise<boolean> {
    const rows: unknown[] = await this.transactions.manager(ctx).query(
      `INSERT INTO second_factor AS f (developer_id, sealed_secret, last_step) VALUES ($1, $2, 0)
       ON CONFLICT (developer_id) DO UPDATE SET sealed_secret = excluded.sealed_secret, last_step = 0
         WHERE f.confirmed_at IS NULL
       RETURNING 1`,
      [developerId, sealedSecret],
    );
    return rows.length === 1;
  }

  /** How long no code is looked at, by the database's clock. */
  async blockedSeconds(ctx: RequestContext, developerId: string): Promise<number> {
    const rows: { seconds: number }[] = await this.transactions.manager(ctx).query(
      `SELECT greatest(0, ceil(extract(epoch FROM blocked_until - app_now())))::int AS seconds
       FROM second_factor WHERE developer_id = $1`,
      [developerId],
    );
    return rows[0]?.seconds ?? 0;
  }

  /** @param blockedSeconds how long no code is looked at from now on; 0: they are. */
  async countWrongCode(ctx: RequestContext, developerId: string, blockedSeconds: number): Promise<void> {
    await this.transactions.manager(ctx).query(
      `UPDATE second_factor SET wrong_codes = wrong_codes + 1,
              blocked_until = CASE WHEN $2::int > 0 THEN app_now() + make_interval(secs => $2::int) END
       WHERE developer_id = $1`,
      [developerId, blockedSeconds],
    );
  }

  async update(ctx: RequestContext, developerId: string, change: Partial<SecondFactorEntity>): Promise<void> {
    await this.transactions.manager(ctx).update(SecondFactorEntity, { developerId }, change);
  }

  async delete(ctx: RequestContext, developerId: string): Promise<void> {
    await this.transactions.manager(ctx).delete(SecondFactorEntity, { developerId });
  }

  async insertRecoveryCodes(ctx: RequestContext, developerId: string, digests: readonly Buffer[]): Promise<void> {
    await this.transactions.manager(ctx).insert(
      RecoveryCodeEntity,
      digests.map((digest) => ({ developerId, digest })),
    );
  }

  async useRecoveryCode(ctx: RequestContext, developerId: string, digest: Buffer): Promise<boolean> {
    const { affected } = await this.transactions.manager(ctx).delete(RecoveryCodeEntity, { developerId, digest });
    return affected === 1;
  }
}
