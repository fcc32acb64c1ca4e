import { Injectable } from '@nestjs/common';
import { LessThan, type Repository } from 'typeorm';
import { type OrganizationRole } from '#kernel/access/roles';
import { type RequestContext } from '#kernel/context/request-context';
import { decodeCursor, type ListName, type Page, type PageRequest, pageOf } from '#kernel/cursor';
import { Transactions } from '#infra/database/transactions';
import { MembershipEntity } from './membership.entity';

@Injectable()
export class MembersRepository {
  constructor(private readonly transactions: Transactions) {}

  /** Changes of an organization's members take turns: the last ADMIN cannot leave twice. */
  advisoryLock(ctx: RequestContext, organizationId: string): Promise<void> {
    return this.transactions.advisoryLock(ctx, `members|${organizationId}`);
  }

  count(ctx: RequestContext, organizationId: string): Promise<number> {
    return this.members(ctx).countBy({ organizationId });
  }

  async countAdmins(ctx: RequestContext, organizationId: string): Promise<number> {
    const rows: { count: number }[] = await this.transactions
      .manager(ctx)
      .query(`SELECT count(*)::int AS count FROM membership WHERE organization_id = $1 AND 'ADMIN' = ANY (roles)`, [
        organizationId,
      ]);
    return rows[0]?.count ?? 0;
  }

  /** The developers who hold one of the roles. */
  async findWithRoles(
    ctx: RequestContext,
    organizationId: string,
    roles: readonly OrganizationRole[],
  ): Promise<readonly string[]> {
    const rows: { developer_id: string }[] = await this.transactions
      .manager(ctx)
      .query(`SELECT developer_id FROM membership WHERE organization_id = $1 AND roles && $2::text[]`, [
        organizationId,
        roles,
      ]);
    return rows.map(({ developer_id }) => developer_id);
  }

  find(ctx: RequestContext, organizationId: string, developerId: string): Promise<MembershipEntity | null> {
    return this.members(ctx).findOneBy({ organizationId, developerId });
  }

  /** Newest developers first, by their ids. */
  async page(
    ctx: RequestContext,
    organizationId: string,
    { limit, cursor }: PageRequest,
  ): Promise<Page<MembershipEntity & { id: string }>> {
    const list: ListName = `members|${organizationId}`;
    const before = decodeCursor(cursor, list);
    const rows = await this.members(ctx).find({
      where: { organizationId, ...(before && { developerId: LessThan(before) }) },
      order: { developerId: 'DESC' },
      take: limit + 1,
    });
    return pageOf(
      rows.map((row) => ({ ...row, id: row.developerId })),
      limit,
      list,
    );
  }

  async insert(ctx: RequestContext, membership: MembershipEntity): Promise<void> {
    await this.members(ctx).insert(membership);
  }

  async updateRoles(
    ctx: RequestContext,
    organizationId: string,
    developerId: string,
    roles: OrganizationRole[],
  ): Promise<void> {
    await this.members(ctx).update({ organizationId, developerId }, { roles });
  }

  /** Project memberships and personal access tokens of the organization go with it, by their foreign keys. */
  async delete(ctx: RequestContext, organizationId: string, developerId: string): Promise<void> {
    await this.members(ctx).delete({ organizationId, developerId });
  }

  /** Organizations of which a developer is the only ADMIN. */
  async findOnlyAdministered(ctx: RequestContext, developerId: string): Promise<readonly string[]> {
    const rows: { organization_id: string }[] = await this.transactions.manager(ctx).query(
      `SELECT organization_id FROM membership m WHERE developer_id = $1 AND 'ADMIN' = ANY (roles) AND NOT EXISTS (
         SELECT FROM membership o WHERE o.organization_id = m.organization_id AND o.developer_id <> $1 AND 'ADMIN' = ANY (o.roles))`,
      [developerId],
    );
    return rows.map(({ organization_id }) => organization_id);
  }

  async findOrganizationsOf(ctx: RequestContext, developerId: string): Promise<readonly string[]> {
    const rows = await this.members(ctx).find({ where: { developerId }, order: { organizationId: 'ASC' } });
    return rows.map(({ organizationId }) => organizationId);
  }

  private members(ctx: RequestContext): Repository<MembershipEntity> {
    return this.transactions.manager(ctx).getRepository(MembershipEntity);
  }
}
