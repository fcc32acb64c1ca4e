import { Injectable } from '@nestjs/common';
import { type OrganizationRole } from '#kernel/access/roles';
import { type RequestContext } from '#kernel/context/request-context';
import { Transactions } from '#infra/database/transactions';
import { MembershipEntity } from './members/membership.entity';
import { OrganizationEntity } from './organization.entity';

/** An organization as one of its members sees it. */
export interface MemberView {
  readonly id: string;
  readonly name: string;
  readonly created_at: Date;
  readonly roles: OrganizationRole[];
}

const OF_MEMBER = `SELECT o.id, o.name, o.created_at, m.roles FROM membership m JOIN organization o ON o.id = m.organization_id`;

@Injectable()
export class OrganizationsRepository {
  constructor(private readonly transactions: Transactions) {}

  /** Makes whatever a developer does to their own memberships happen one after another: the cap stays exact. */
  async lockMembershipsOf(ctx: RequestContext, developerId: string): Promise<number> {
    await this.transactions.advisoryLock(ctx, `memberships|${developerId}`);
    return this.transactions.manager(ctx).countBy(MembershipEntity, { developerId });
  }

  async insert(ctx: RequestContext, organization: OrganizationEntity, membership: MembershipEntity): Promise<void> {
    await this.transactions.manager(ctx).insert(OrganizationEntity, organization);
    await this.transactions.manager(ctx).insert(MembershipEntity, membership);
  }

  /** Oldest membership first, so that what a client has shown stays in place when another is joined. */
  listOf(ctx: RequestContext, developerId: string, limit: number): Promise<MemberView[]> {
    return this.transactions
      .manager(ctx)
      .query(`${OF_MEMBER} WHERE m.developer_id = $1 ORDER BY o.id LIMIT $2`, [developerId, limit]);
  }

  async findOf(ctx: RequestContext, developerId: string, id: string): Promise<MemberView | null> {
    const rows: MemberView[] = await this.transactions
      .manager(ctx)
      .query(`${OF_MEMBER} WHERE m.developer_id = $1 AND o.id = $2`, [developerId, id]);
    return rows[0] ?? null;
  }

  async findName(ctx: RequestContext, id: string): Promise<string | null> {
    return (await this.transactions.manager(ctx).findOneBy(OrganizationEntity, { id }))?.name ?? null;
  }

  async findRoles(ctx: RequestContext, id: string, developerId: string): Promise<readonly OrganizationRole[] | null> {
    const membership = await this.transactions
      .manager(ctx)
      .findOneBy(MembershipEntity, { organizationId: id, developerId });
    return membership?.roles ?? null;
  }

  async rename(ctx: RequestContext, id: string, name: string): Promise<void> {
    await this.transactions.manager(ctx).update(OrganizationEntity, { id }, { name });
  }

  async delete(ctx: RequestContext, id: string): Promise<void> {
    await this.transactions.manager(ctx).delete(OrganizationEntity, { id });
  }
}
