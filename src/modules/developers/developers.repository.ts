import { Injectable } from '@nestjs/common';
import { In, IsNull, MoreThan, type Repository } from 'typeorm';
import { digestOf, newLinkToken } from '#kernel/access/token-format';
import { type RequestContext } from '#kernel/context/request-context';
import { emailKeyOf } from '#kernel/text/email-address';
import { changed, columnsOf, deleteOlder, one, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { DeveloperEntity, DeveloperLinkEntity, LINK_HOURS, type LinkPurpose } from './developer.entity';
import { SecondFactorEntity } from './mfa/second-factors.repository';

const HOUR_MS = 3_600_000;

/** The times of a new token, in milliseconds since 1970 by the database's clock. */
export interface IssueTime {
  readonly now: number;
  /** Now, but never before `min_issued_at`, which is later than now when the clock was set back after a logout. */
  readonly issuedAt: number;
}

@Injectable()
export class DevelopersRepository {
  constructor(private readonly transactions: Transactions) {}

  findById(ctx: RequestContext, id: string): Promise<DeveloperEntity | null> {
    return this.developers(ctx).findOneBy({ id });
  }

  /** Also reads the database's clock. @param lock delays changes of the account until the transaction ends. */
  findWithTime(
    ctx: RequestContext,
    id: string,
    { lock }: { readonly lock: boolean },
  ): Promise<(DeveloperEntity & { readonly now: Date }) | null> {
    const columns = columnsOf(this.developers(ctx).metadata);
    const statement = `SELECT ${columns}, app_now() AS now FROM developer WHERE id = $1${lock ? ' FOR SHARE' : ''}`;
    return one(this.transactions.manager(ctx), statement, [id]);
  }

  /** Finds the account and locks it until the transaction ends. */
  lock(ctx: RequestContext, id: string): Promise<DeveloperEntity | null> {
    return this.developers(ctx).findOne({ where: { id }, lock: { mode: 'for_no_key_update' } });
  }

  findByIds(ctx: RequestContext, ids: readonly string[]): Promise<DeveloperEntity[]> {
    return this.developers(ctx).findBy({ id: In([...ids]) });
  }

  findByEmail(ctx: RequestContext, email: string): Promise<DeveloperEntity | null> {
    return this.developers(ctx).findOneBy({ emailKey: emailKeyOf(email) });
  }

  /** @returns false when the e-mail address already has an account. */
  async insert(ctx: RequestContext, developer: DeveloperEntity): Promise<boolean> {
    const result = await this.developers(ctx)
      .createQueryBuilder()
      .insert()
      .values(developer)
      .orIgnore()
      .returning('id')
      .execute();
    return (result.raw as unknown[]).length === 1;
  }

  async update(ctx: RequestContext, id: string, change: Partial<DeveloperEntity>): Promise<void> {
    await this.developers(ctx).update({ id }, change);
  }

  /**
   * Sets a new password. Ends the lockout of the second factor too: its wrong codes followed the old password, which an attacker may
   * have known.
   */
  async replacePassword(
    ctx: RequestContext,
    id: string,
    change: Pick<DeveloperEntity, 'passwordHash'> & Partial<DeveloperEntity>,
  ): Promise<void> {
    await this.update(ctx, id, change);
    await this.transactions
      .manager(ctx)
      .update(SecondFactorEntity, { developerId: id }, { wrongCodes: 0, blockedUntil: null });
    await this.deleteCredentialLinks(ctx, id);
    await this.raiseMinIssuedAt(ctx, id);
  }

  async delete(ctx: RequestContext, id: string): Promise<void> {
    await this.developers(ctx).delete({ id });
  }

  /**
   * Locks the account until the transaction ends.
   * @returns false when the password or the address has changed since `checked` was read. A proof of the old password or address is then
   * not valid.
   */
  async lockCredentials(
    ctx: RequestContext,
    checked: Pick<DeveloperEntity, 'id' | 'passwordHash' | 'emailKey'>,
  ): Promise<boolean> {
    const locked = await one(
      this.transactions.manager(ctx),
      'SELECT 1 FROM developer WHERE id = $1 AND password_hash = $2 AND email_key = $3 FOR NO KEY UPDATE',
      [checked.id, checked.passwordHash, checked.emailKey],
    );
    return locked !== null;
  }

  /**
   * Ends all sessions: invalidates every token issued until now. The database's clock sets `min_issued_at`, so that all
   * processes agree on it; it only rises, even if that clock steps back. The row is locked before the clock is read, so that
   * a concurrent login gets an issue time that is either before `min_issued_at`, or read after this transaction.
   */
  async raiseMinIssuedAt(ctx: RequestContext, id: string): Promise<void> {
    const manager = this.transactions.manager(ctx);
    await one(manager, 'SELECT 1 FROM developer WHERE id = $1 FOR NO KEY UPDATE', [id]);
    await changed(
      manager,
      `UPDATE developer SET min_issued_at = greatest(date_trunc('milliseconds', app_now()), min_issued_at) + interval '1 millisecond'
       WHERE id = $1`,
      [id],
    );
  }

  /** Returns the times for a token that is issued now. Locks `min_issued_at` until the transaction ends. */
  async issueTime(ctx: RequestContext, id: string): Promise<IssueTime> {
    const row = await one<{ now: string; issuedAt: string }>(
      this.transactions.manager(ctx),
      `SELECT floor(extract(epoch FROM app_now()) * 1000)::bigint AS now,
              floor(extract(epoch FROM greatest(app_now(), min_issued_at)) * 1000)::bigint AS "issuedAt"
       FROM developer WHERE id = $1 FOR SHARE`,
      [id],
    );
    return { now: Number(row?.now), issuedAt: Number(row?.issuedAt) };
  }

  /** Atomic: concurrent calls never use more than `max` trial credits. @returns false when all are used. */
  async takeTrialCredit(ctx: RequestContext, id: string, max: number): Promise<boolean> {
    const count = await changed(
      this.transactions.manager(ctx),
      'UPDATE developer SET trial_credits = trial_credits + 1 WHERE id = $1 AND trial_credits < $2',
      [id, max],
    );
    return count === 1;
  }

  /** Creates a one-time link. @returns its token, of which only the digest is stored. */
  async createLink(
    ctx: RequestContext,
    developerId: string,
    purpose: LinkPurpose,
    newEmail: string | null = null,
  ): Promise<string> {
    const token = newLinkToken();
    const createdAt = ctx.clock.now();
    const expiresAt = new Date(createdAt.getTime() + LINK_HOURS[purpose] * HOUR_MS);
    const digest = digestOf(token);
    await this.links(ctx).insert({ digest, developerId, purpose, newEmail, createdAt, expiresAt, usedAt: null });
    return token;
  }

  findLink(ctx: RequestContext, digest: Buffer, purpose: LinkPurpose): Promise<DeveloperLinkEntity | null> {
    return this.links(ctx).findOneBy({ digest, purpose });
  }

  /**
   * Marks a link as used; of several concurrent calls exactly one succeeds.
   * @returns the id of the developer; null when the link is used, expired or unknown.
   */
  async consumeLink(ctx: RequestContext, digest: Buffer, purpose: LinkPurpose): Promise<string | null> {
    const link = await one<{ developerId: string }>(
      this.transactions.manager(ctx),
      `UPDATE developer_link SET used_at = $3 WHERE digest = $1 AND purpose = $2 AND used_at IS NULL AND expires_at > $3
         RETURNING developer_id AS "developerId"`,
      [digest, purpose, ctx.clock.now()],
    );
    return link?.developerId ?? null;
  }

  async deleteUnusedLinks(ctx: RequestContext, developerId: string, ...purposes: LinkPurpose[]): Promise<void> {
    await this.links(ctx).delete({ developerId, purpose: In(purposes), usedAt: IsNull() });
  }

  /** Marks the verification links of a verified account as used, so that they are kept and show that the account is verified. */
  async markVerificationLinksUsed(ctx: RequestContext, developerId: string): Promise<void> {
    await this.links(ctx).update(
      { developerId, purpose: 'verify_email', usedAt: IsNull() },
      { usedAt: ctx.clock.now() },
    );
  }

  /**
   * Deletes the links that could replace the password or the address, after one of them was replaced: an attacker may have
   * requested them with the old password, or received them at the old address.
   */
  deleteCredentialLinks(ctx: RequestContext, developerId: string): Promise<void> {
    return this.deleteUnusedLinks(ctx, developerId, 'reset_password', 'change_email');
  }

  /** Exact while the caller has the account locked. */
  countLinksSince(ctx: RequestContext, developerId: string, purpose: LinkPurpose, since: Date): Promise<number> {
    return this.links(ctx).countBy({ developerId, purpose, createdAt: MoreThan(since) });
  }

  /**
   * Deletes links that expired a week ago, except the verification links of verified accounts: opened again, they show that
   * the account is verified.
   */
  pruneLinks(ctx: RequestContext): Promise<void> {
    return deleteOlder(this.transactions.manager(ctx), 'developer_link', {
      column: 'expires_at',
      age: `interval '7 days'`,
      where: `(purpose <> 'verify_email' OR used_at IS NULL)`,
    });
  }

  /** Ids of the accounts whose address was not verified within the days, in the order of the ids. */
  async listUnverified(
    ctx: RequestContext,
    { days, after, limit }: { readonly days: number; readonly after: string | null; readonly limit: number },
  ): Promise<readonly string[]> {
    const found = await rows<{ id: string }>(
      this.transactions.manager(ctx),
      `SELECT id FROM developer
       WHERE email_verified_at IS NULL AND created_at < (SELECT app_now() - make_interval(days => $1))
         AND ($2::uuid IS NULL OR id > $2) ORDER BY id LIMIT $3`,
      [days, after, limit],
    );
    return found.map(({ id }) => id);
  }

  /** Locks the account. @returns false when it was deleted or its address was verified. */
  async lockUnverified(tx: RequestContext, id: string): Promise<boolean> {
    const statement = 'SELECT id FROM developer WHERE id = $1 AND email_verified_at IS NULL FOR UPDATE';
    return (await one(this.transactions.manager(tx), statement, [id])) !== null;
  }

  private developers(ctx: RequestContext): Repository<DeveloperEntity> {
    return this.transactions.manager(ctx).getRepository(DeveloperEntity);
  }

  private links(ctx: RequestContext): Repository<DeveloperLinkEntity> {
    return this.transactions.manager(ctx).getRepository(DeveloperLinkEntity);
  }
}
