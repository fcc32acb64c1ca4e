import { Injectable } from '@nestjs/common';
import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { type RequestContext } from '#kernel/context/request-context';
import { changed, one } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';

/** The time-based one-time password (TOTP, RFC 6238) of a developer. Until it is confirmed, a login needs no code. */
@Entity('second_factor')
export class SecondFactorEntity {
  @ForeignKey('DeveloperEntity', { name: 'fk_second_factor_developer', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { name: 'developer_id', primaryKeyConstraintName: 'pk_second_factor' })
  developerId: string;

  @Column({ type: 'bytea', name: 'sealed_secret' })
  sealedSecret: Buffer;

  @Column({ type: 'timestamptz', name: 'confirmed_at', precision: 3, nullable: true })
  confirmedAt: Date | null;

  /** The time step of the last accepted code. Only codes of later steps are accepted, so that a code works once. */
  @Column('bigint', { name: 'last_step' })
  lastStep: string;

  /** The number of wrong codes since the last correct one. */
  @Column('integer', { name: 'wrong_codes', default: 0 })
  wrongCodes: number;

  /** The end of the lockout: until then no code is checked. */
  @Column({ type: 'timestamptz', name: 'blocked_until', precision: 3, nullable: true })
  blockedUntil: Date | null;
}

/** A one-time code that replaces a lost second factor. The row is deleted when the code is used. */
@Entity('recovery_code')
export class RecoveryCodeEntity {
  @ForeignKey('SecondFactorEntity', 'developerId', { name: 'fk_recovery_code_factor', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { name: 'developer_id', primaryKeyConstraintName: 'pk_recovery_code' })
  developerId: string;

  @PrimaryColumn({ type: 'bytea', primaryKeyConstraintName: 'pk_recovery_code' })
  digest: Buffer;
}

@Injectable()
export class SecondFactorsRepository {
  constructor(private readonly transactions: Transactions) {}

  find(ctx: RequestContext, developerId: string): Promise<SecondFactorEntity | null> {
    return this.transactions.manager(ctx).findOneBy(SecondFactorEntity, { developerId });
  }

  /** Finds the factor and locks its row, so that two concurrent requests cannot use one code twice. */
  lock(ctx: RequestContext, developerId: string): Promise<SecondFactorEntity | null> {
    return this.transactions
      .manager(ctx)
      .findOne(SecondFactorEntity, { where: { developerId }, lock: { mode: 'pessimistic_write' } });
  }

  /** Creates a factor or replaces an unconfirmed one. @returns false when a confirmed one exists. */
  async replaceUnconfirmed(ctx: RequestContext, developerId: string, sealedSecret: Buffer): Promise<boolean> {
    const factor = await one(
      this.transactions.manager(ctx),
      `INSERT INTO second_factor AS f (developer_id, sealed_secret, last_step) VALUES ($1, $2, 0)
       ON CONFLICT (developer_id) DO UPDATE SET sealed_secret = excluded.sealed_secret, last_step = 0
         WHERE f.confirmed_at IS NULL
       RETURNING 1`,
      [developerId, sealedSecret],
    );
    return factor !== null;
  }

  /** Returns the remaining seconds of the lockout by the database's clock; 0 when there is none. */
  async lockoutSeconds(ctx: RequestContext, developerId: string): Promise<number> {
    const row = await one<{ seconds: number }>(
      this.transactions.manager(ctx),
      `SELECT greatest(0, ceil(extract(epoch FROM blocked_until - app_now())))::int AS seconds
       FROM second_factor WHERE developer_id = $1`,
      [developerId],
    );
    return row?.seconds ?? 0;
  }

  /** @param blockedSeconds the length of the lockout that starts now; 0 starts none. */
  async countWrongCode(ctx: RequestContext, developerId: string, blockedSeconds: number): Promise<void> {
    await changed(
      this.transactions.manager(ctx),
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

  /** Deletes the code, so that it works once. @returns false when it does not exist. */
  async useRecoveryCode(ctx: RequestContext, developerId: string, digest: Buffer): Promise<boolean> {
    const { affected } = await this.transactions.manager(ctx).delete(RecoveryCodeEntity, { developerId, digest });
    return affected === 1;
  }
}
