import { Injectable } from '@nestjs/common';
import { In, IsNull, MoreThan, type Repository } from 'typeorm';
import { type RequestContext } from '#kernel/context/request-context';
import { emailKeyOf } from '#kernel/text/email-key';
import { deleteInBatches } from '#infra/database/delete-in-batches';
import { Transactions } from '#infra/database/transactions';
import { DeveloperLinkEntity, type LinkPurpose } from './mailed-links/developer-link.entity';
import { DeveloperEntity } from './developer.entity';

@Injectable()
export class DevelopersRepository {
  constructor(private readonly transactions: Transactions) {}

  findById(ctx: RequestContext, id: string): Promise<DeveloperEntity | null> {
    return this.developers(ctx).findOneBy({ id });
  }

  findByIds(ctx: RequestContext, ids: readonly string[]): Promise<DeveloperEntity[]> {
    return this.developers(ctx).findBy({ id: In([...ids]) });
  }

  findByEmail(ctx: RequestContext, email: string): Promise<DeveloperEntity | null> {
    return this.developers(ctx).findOneBy({ emailKey: emailKeyOf(email) });
  }

  /** Makes an account, unless the address has one: then false. */
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

  async delete(ctx: RequestContext, id: string): Promise<void> {
    await this.developers(ctx).delete({ id });
  }

  /**
   * Locks an account until the transaction ends. False when it has not the password or the address any more that it had when
   * `checked` was read: whoever proved the old ones has proved nothing.
   */
  async holdCredentials(
    ctx: RequestContext,
    checked: Pick<DeveloperEntity, 'id' | 'passwordHash' | 'emailKey'>,
  ): Promise<boolean> {
    const rows: unknown[] = await this.transactions
      .manager(ctx)
      .query('SELECT 1 FROM developer WHERE id = $1 AND password_hash = $2 AND email_key = $3 FOR NO KEY UPDATE', [
        checked.id,
        checked.passwordHash,
        checked.emailKey,
      ]);
    return rows.length === 1;
  }

  /**
   * Ends every session: nothing issued until now is accepted any more. The floor is the database's clock, so that all
   * processes agree, and it only rises, even when that clock steps back (reliability: X2). The lock comes before the clock
   * is read, so that whatever is issued meanwhile is either before the floor or waits for it.
   */
  async raiseFloor(ctx: RequestContext, id: string): Promise<void> {
    const manager = this.transactions.manager(ctx);
    await manager.query('SELECT 1 FROM developer WHERE id = $1 FOR NO KEY UPDATE', [id]);
    await manager.query(
      `UPDATE developer SET min_issued_at = greatest(date_trunc('milliseconds', app_now()), min_issued_at) + interval '1 millisecond'
       WHERE id = $1`,
      [id],
    );
  }

  /**
   * When something issued now begins: the database's time, never before the floor; milliseconds since 1970. The floor stays
   * until the transaction ends.
   */
  async issueTime(ctx: RequestContext, id: string): Promise<number> {
    const rows: { at: string }[] = await this.transactions.manager(ctx).query(
      `SELECT floor(extract(epoch FROM greatest(app_now(), min_issued_at)) * 1000)::bigint AS at FROM developer
         WHERE id = $1 FOR SHARE`,
      [id],
    );
    return Number(rows[0]?.at);
  }

  /** Of any number who take at once no more succeed than there are. */
  async takeTrialCredit(ctx: RequestContext, id: string, most: number): Promise<boolean> {
    const [, changed]: [unknown, number] = await this.transactions
      .manager(ctx)
      .query('UPDATE developer SET trial_credits = trial_credits + 1 WHERE id = $1 AND trial_credits < $2', [id, most]);
    return changed === 1;
  }

  async insertLink(ctx: RequestContext, link: DeveloperLinkEntity): Promise<void> {
    await this.links(ctx).insert(link);
  }

  findLink(ctx: RequestContext, digest: Buffer, purpose: LinkPurpose): Promise<DeveloperLinkEntity | null> {
    return this.links(ctx).findOneBy({ digest, purpose });
  }

  /** Uses a link up and says whose it was; null when it was used, has expired or never was. Exactly one caller wins. */
  async consumeLink(ctx: RequestContext, digest: Buffer, purpose: LinkPurpose): Promise<string | null> {
    const [rows]: [{ developer_id: string }[], number] = await this.transactions.manager(ctx).query(
      `UPDATE developer_link SET used_at = $3 WHERE digest = $1 AND purpose = $2 AND used_at IS NULL AND expires_at > $3
         RETURNING developer_id`,
      [digest, purpose, ctx.clock.now()],
    );
    return rows[0]?.developer_id ?? null;
  }

  /** A newer link of a purpose, once used, makes the older ones worthless. */
  async dropUnusedLinks(ctx: RequestContext, developerId: string, ...purposes: LinkPurpose[]): Promise<void> {
    await this.links(ctx).delete({ developerId, purpose: In(purposes), usedAt: IsNull() });
  }

  /**
   * For whoever has just replaced the password or the address: links that would replace them again were asked for with the old
   * ones, or mailed to the old address, and may be in other hands.
   */
  dropCredentialLinks(ctx: RequestContext, developerId: string): Promise<void> {
    return this.dropUnusedLinks(ctx, developerId, 'reset_password', 'change_email');
  }

  /** How many links of a purpose a developer was sent since. Exact for whoever holds the account. */
  countLinksSince(ctx: RequestContext, developerId: string, purpose: LinkPurpose, since: Date): Promise<number> {
    return this.links(ctx).countBy({ developerId, purpose, createdAt: MoreThan(since) });
  }

  /** Forgets links a week after they expired, but those that have verified an address: opened again, they say so. */
  pruneLinks(ctx: RequestContext): Promise<void> {
    return deleteInBatches(
      this.transactions.manager(ctx),
      'developer_link',
      // app_now() in a query of its own: the index serves one value, not a function that may change from row to row.
      `expires_at < (SELECT app_now() - interval '7 days') AND (purpose <> 'verify_email' OR used_at IS NULL)`,
    );
  }

  private developers(ctx: RequestContext): Repository<DeveloperEntity> {
    return this.transactions.manager(ctx).getRepository(DeveloperEntity);
  }

  private links(ctx: RequestContext): Repository<DeveloperLinkEntity> {
    return this.transactions.manager(ctx).getRepository(DeveloperLinkEntity);
  }
}
