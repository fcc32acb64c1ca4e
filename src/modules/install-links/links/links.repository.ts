import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { decodeCursor, type Page, pageOf, type PageRequest } from '#kernel/cursor';
import { changed, columnsOf, one, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { InstallLinkEntity, type LinkTarget } from '../install-links.repository';

/** The row of a link of a build or channel. Its token is always stored. */
export type LinkRow = Omit<InstallLinkEntity, 'sealedToken'> & { readonly sealedToken: Buffer };

/** Restricts a list to the links of a build or of a channel. */
export interface LinkFilter {
  readonly buildId?: string | undefined;
  readonly channelId?: string | undefined;
}

const IS_LINK = 'organization_id = $1 AND project_id = $2 AND tester_id IS NULL AND deleted_at IS NULL';

/** The links of builds and channels as the API shows them, without those of testers. */
@Injectable()
export class LinksRepository {
  constructor(private readonly transactions: Transactions) {}

  async insert(tx: RequestContext, row: InstallLinkEntity): Promise<void> {
    await this.manager(tx).insert(InstallLinkEntity, row);
  }

  find(ctx: RequestContext, { organizationId, projectId }: ProjectScope, id: string): Promise<LinkRow | null> {
    const statement = `SELECT ${this.columns(ctx)} FROM invite WHERE ${IS_LINK} AND id = $3`;
    return one(this.manager(ctx), statement, [organizationId, projectId, id]);
  }

  /** Locks a link until the transaction ends, so that no ticket is minted through it. */
  lock(tx: RequestContext, { organizationId, projectId }: ProjectScope, id: string): Promise<LinkRow | null> {
    const statement = `SELECT ${this.columns(tx)} FROM invite WHERE ${IS_LINK} AND id = $3 FOR UPDATE`;
    return one(this.manager(tx), statement, [organizationId, projectId, id]);
  }

  async list(
    ctx: RequestContext,
    { organizationId, projectId }: ProjectScope,
    { buildId, channelId }: LinkFilter,
    { limit, cursor }: PageRequest,
  ): Promise<Page<LinkRow>> {
    const list = `links|${buildId ?? channelId ?? projectId}` as const;
    const restrictions = [
      ['build_id = ?', buildId],
      ['channel_id = ?', channelId],
      ['id < ?', decodeCursor(cursor, list) ?? undefined],
    ].filter((each): each is [string, string] => each[1] !== undefined);
    const conditions = restrictions.map(([condition], n) => ` AND ${condition.replace('?', `$${n + 4}`)}`).join('');
    const found = await rows<LinkRow>(
      this.manager(ctx),
      `SELECT ${this.columns(ctx)} FROM invite WHERE ${IS_LINK}${conditions} ORDER BY id DESC LIMIT $3`,
      [organizationId, projectId, limit + 1, ...restrictions.map(([, value]) => value)],
    );
    return pageOf(found, limit, list, 'id');
  }

  async count(ctx: RequestContext, { buildId, channelId }: LinkTarget): Promise<number> {
    const column = buildId === null ? 'channel_id' : 'build_id';
    const counted = await one<{ count: number }>(
      this.manager(ctx),
      `SELECT count(*)::int AS count FROM invite WHERE ${column} = $1 AND tester_id IS NULL`,
      [buildId ?? channelId],
    );
    return counted?.count ?? 0;
  }

  async update(
    tx: RequestContext,
    id: string,
    { name, ruleVersion }: Pick<InstallLinkEntity, 'name' | 'ruleVersion'>,
  ): Promise<void> {
    await changed(this.manager(tx), 'UPDATE invite SET name = $2, rule_version = $3 WHERE id = $1', [
      id,
      name,
      ruleVersion,
    ]);
  }

  /** Deletes a link with its rules and, by foreign key, the download tickets that it minted. */
  async delete(tx: RequestContext, id: string): Promise<void> {
    await changed(this.manager(tx), 'DELETE FROM invite WHERE id = $1', [id]);
  }

  private columns(ctx: RequestContext): string {
    return columnsOf(this.manager(ctx).connection.getMetadata(InstallLinkEntity));
  }

  private manager(ctx: RequestContext) {
    return this.transactions.manager(ctx);
  }
}
