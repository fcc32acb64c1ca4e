import { Injectable } from '@nestjs/common';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { type OrganizationRole } from '#kernel/access/roles';
import { type RequestContext } from '#kernel/context/request-context';
import { one, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { type StoredBranding } from './branding/branding';
import { MembershipEntity } from './members/members.repository';

/** A tenant. Members, billing and all projects belong to exactly one organization. */
@Entity('organization')
export class OrganizationEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_organization' })
  id: string;

  @Column('text')
  name: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  /** What testers see of it. */
  @Column('jsonb', { nullable: true })
  branding?: StoredBranding | null;
}

/** An organization as one of its members sees it. */
export interface MemberView {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly roles: OrganizationRole[];
}

const OF_MEMBER = `SELECT o.id, o.name, o.created_at AS "createdAt", m.roles
  FROM membership m JOIN organization o ON o.id = m.organization_id`;

@Injectable()
export class OrganizationsRepository {
  constructor(private readonly transactions: Transactions) {}

  /** Serializes changes of a developer's memberships, so that the quota is exact. @returns the number of memberships. */
  async lockMembershipsOf(ctx: RequestContext, developerId: string): Promise<number> {
    await this.transactions.advisoryLock(ctx, `memberships|${developerId}`);
    return this.transactions.manager(ctx).countBy(MembershipEntity, { developerId });
  }

  async insert(ctx: RequestContext, organization: OrganizationEntity, membership: MembershipEntity): Promise<void> {
    await this.transactions.manager(ctx).insert(OrganizationEntity, organization);
    await this.transactions.manager(ctx).insert(MembershipEntity, membership);
  }

  /** Oldest organization first, so that a new membership does not move the others in a client's list. */
  listOf(ctx: RequestContext, developerId: string, limit: number): Promise<MemberView[]> {
    const sql = `${OF_MEMBER} WHERE m.developer_id = $1 ORDER BY o.id LIMIT $2`;
    return rows<MemberView>(this.transactions.manager(ctx), sql, [developerId, limit]);
  }

  findOf(ctx: RequestContext, developerId: string, id: string): Promise<MemberView | null> {
    const sql = `${OF_MEMBER} WHERE m.developer_id = $1 AND o.id = $2`;
    return one<MemberView>(this.transactions.manager(ctx), sql, [developerId, id]);
  }

  async findName(ctx: RequestContext, id: string): Promise<string | null> {
    return (await this.transactions.manager(ctx).findOneBy(OrganizationEntity, { id }))?.name ?? null;
  }

  /** Locks the row until the transaction ends. False when the organization does not exist. */
  async lock(tx: RequestContext, id: string): Promise<boolean> {
    const sql = `SELECT 1 FROM organization WHERE id = $1 FOR UPDATE`;
    return (await one(this.transactions.manager(tx), sql, [id])) !== null;
  }

  async findRoles(ctx: RequestContext, id: string, developerId: string): Promise<readonly OrganizationRole[] | null> {
    const membership = await one<Pick<MembershipEntity, 'roles'>>(
      this.transactions.manager(ctx),
      `SELECT roles FROM membership WHERE organization_id = $1 AND developer_id = $2`,
      [id, developerId],
    );
    return membership?.roles ?? null;
  }

  async rename(ctx: RequestContext, id: string, name: string): Promise<void> {
    await this.transactions.manager(ctx).update(OrganizationEntity, { id }, { name });
  }

  async delete(ctx: RequestContext, id: string): Promise<void> {
    await this.transactions.manager(ctx).delete(OrganizationEntity, { id });
  }
}
