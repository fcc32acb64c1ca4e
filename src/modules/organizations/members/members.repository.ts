import { Injectable } from '@nestjs/common';
import { Check, Column, Entity, ForeignKey, In, Index, PrimaryColumn, type Repository } from 'typeorm';
import { type OrganizationRole } from '#kernel/access/roles';
import { type RequestContext } from '#kernel/context/request-context';
import { type Page, type PageRequest } from '#kernel/cursor';
import { findPage } from '#infra/database/find-page';
import { one, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';

/** A developer's membership of an organization, with their roles. */
@Entity('membership')
@Check('ck_membership_roles', 'cardinality(roles) > 0')
@Index('ix_membership_developer', ['developerId'])
export class MembershipEntity {
  @ForeignKey('OrganizationEntity', { name: 'fk_membership_organization', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { name: 'organization_id', primaryKeyConstraintName: 'pk_membership' })
  organizationId: string;

  @ForeignKey('DeveloperEntity', { name: 'fk_membership_developer', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { name: 'developer_id', primaryKeyConstraintName: 'pk_membership' })
  developerId: string;

  @Column('text', { array: true })
  roles: OrganizationRole[];

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}

@Injectable()
export class MembersRepository {
  constructor(private readonly transactions: Transactions) {}

  /** Serializes changes of an organization's members, so that concurrent changes cannot remove the last two ADMINs. */
  advisoryLock(ctx: RequestContext, organizationId: string): Promise<void> {
    return this.transactions.advisoryLock(ctx, `members|${organizationId}`);
  }

  count(ctx: RequestContext, organizationId: string): Promise<number> {
    return this.members(ctx).countBy({ organizationId });
  }

  async countAdmins(ctx: RequestContext, organizationId: string): Promise<number> {
    const row = await one<{ count: number }>(
      this.transactions.manager(ctx),
      `SELECT count(*)::int AS count FROM membership WHERE organization_id = $1 AND 'ADMIN' = ANY (roles)`,
      [organizationId],
    );
    return row?.count ?? 0;
  }

  /** The ids of the developers who have at least one of the roles. */
  async findWithRoles(
    ctx: RequestContext,
    organizationId: string,
    roles: readonly OrganizationRole[],
  ): Promise<readonly string[]> {
    const found = await rows<{ id: string }>(
      this.transactions.manager(ctx),
      `SELECT developer_id AS id FROM membership WHERE organization_id = $1 AND roles && $2::text[]`,
      [organizationId, roles],
    );
    return found.map(({ id }) => id);
  }

  find(ctx: RequestContext, organizationId: string, developerId: string): Promise<MembershipEntity | null> {
    return this.members(ctx).findOneBy({ organizationId, developerId });
  }

  findMany(ctx: RequestContext, organizationId: string, developerIds: readonly string[]): Promise<MembershipEntity[]> {
    return this.members(ctx).findBy({ organizationId, developerId: In([...developerIds]) });
  }

  /** Ordered by developer id, newest account first. */
  async list(ctx: RequestContext, organizationId: string, page: PageRequest): Promise<Page<MembershipEntity>> {
    return findPage(this.members(ctx), { organizationId }, page, `members|${organizationId}`, 'developerId');
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

  /** Foreign keys delete the member's project roles and personal access tokens in this organization too. */
  async delete(ctx: RequestContext, organizationId: string, developerId: string): Promise<void> {
    await this.members(ctx).delete({ organizationId, developerId });
  }

  /** The organizations in which the developer is the only ADMIN. */
  async findOnlyAdministered(ctx: RequestContext, developerId: string): Promise<readonly string[]> {
    const found = await rows<{ id: string }>(
      this.transactions.manager(ctx),
      `SELECT organization_id AS id FROM membership m WHERE developer_id = $1 AND 'ADMIN' = ANY (roles) AND NOT EXISTS (
         SELECT FROM membership o WHERE o.organization_id = m.organization_id AND o.developer_id <> $1 AND 'ADMIN' = ANY (o.roles))`,
      [developerId],
    );
    return found.map(({ id }) => id);
  }

  /** The given organizations of which the developer is not a member. */
  async findWithoutMember(
    ctx: RequestContext,
    organizationIds: readonly string[],
    developerId: string,
  ): Promise<readonly string[]> {
    const found = await rows<{ id: string }>(
      this.transactions.manager(ctx),
      `SELECT o.id FROM unnest($1::uuid[]) AS o (id) WHERE NOT EXISTS (
         SELECT FROM membership m WHERE m.organization_id = o.id AND m.developer_id = $2)`,
      [organizationIds, developerId],
    );
    return found.map(({ id }) => id);
  }

  /** The developers of the list who are members. */
  async findMembersAmong(
    ctx: RequestContext,
    organizationId: string,
    developerIds: readonly string[],
  ): Promise<ReadonlySet<string>> {
    const found = await rows<{ id: string }>(
      this.transactions.manager(ctx),
      `SELECT developer_id AS id FROM membership WHERE organization_id = $1 AND developer_id = ANY ($2::uuid[])`,
      [organizationId, developerIds],
    );
    return new Set(found.map(({ id }) => id));
  }

  /** Locks the membership against deletion until the transaction ends. False when there is none. */
  async hold(tx: RequestContext, organizationId: string, developerId: string): Promise<boolean> {
    const found = await one(
      this.transactions.manager(tx),
      `SELECT 1 FROM membership WHERE organization_id = $1 AND developer_id = $2 FOR KEY SHARE`,
      [organizationId, developerId],
    );
    return found !== null;
  }

  async findOrganizationsOf(ctx: RequestContext, developerId: string): Promise<readonly string[]> {
    const memberships = await this.members(ctx).find({ where: { developerId }, order: { organizationId: 'ASC' } });
    return memberships.map(({ organizationId }) => organizationId);
  }

  private members(ctx: RequestContext): Repository<MembershipEntity> {
    return this.transactions.manager(ctx).getRepository(MembershipEntity);
  }
}
