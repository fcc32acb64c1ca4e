import { Injectable } from '@nestjs/common';
import { type OrganizationRole } from '#kernel/access/roles';
import { inDollars } from '#kernel/billing/pricing';
import { developerOf, type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { Hook } from '#kernel/hook';
import { newId } from '#kernel/ids';
import { requireRoom } from '#kernel/quota';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { QuotaConfig } from '#infra/config/config';
import { Transactions } from '#infra/database/transactions';
import { BillingService, type Plan } from '#modules/billing';
import { DevelopersService } from '#modules/developers';
import { type MemberView, OrganizationsRepository } from './organizations.repository';

/** The data about an organization that each of its credentials may read. */
export interface OrganizationSummary {
  readonly id: string;
  readonly name: string;
  readonly plan: Plan;
}

export interface Organization extends OrganizationSummary {
  /** The roles of the developer who sent the request. */
  readonly roles: readonly OrganizationRole[];
  readonly createdAt: Date;
}

@Injectable()
export class OrganizationsService {
  /**
   * Runs before an organization is deleted, in the transaction that deletes it, and before any other work. The organization is locked, so
   * nothing is added to it. A handler throws `dependency_exists` to reject the deletion.
   */
  readonly deleting = new Hook<[tx: RequestContext, organizationId: string]>();

  constructor(
    private readonly repository: OrganizationsRepository,
    private readonly billing: BillingService,
    private readonly developers: DevelopersService,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
    private readonly quotas: QuotaConfig,
  ) {}

  /**
   * Creates an organization with the developer as its ADMIN. It gets trial credit while the developer has used fewer trials than they may
   * have organizations at the same time: deleting and creating organizations again gives no unlimited credit.
   * @throws AppError quota_exceeded when the developer belongs to as many organizations as allowed.
   */
  async create(ctx: RequestContext, name: string): Promise<Organization> {
    const { developerId } = developerOf(ctx);
    return this.transactions.run(ctx, async (tx) => {
      await this.requireRoomFor(tx, developerId);
      const id = newId();
      const createdAt = tx.clock.now();
      await this.repository.insert(
        tx,
        { id, name, createdAt },
        { organizationId: id, developerId, roles: ['ADMIN'], createdAt },
      );
      const onTrial = await this.developers.takeTrialCredit(tx, developerId, this.quotas.organizationsPerDeveloper);
      await this.billing.openAccount(tx, id, { onTrial });
      await this.audit.record(tx, { type: 'organization.created', organizationId: id, payload: { name } });
      return this.get(tx, id);
    });
  }

  /** The developer's organizations, up to the configured limit. A personal access token sees only its own organization. */
  async list(ctx: RequestContext): Promise<readonly Organization[]> {
    const identity = developerOf(ctx);
    if (identity.kind === 'pat') return [await this.get(ctx, identity.organizationId)];
    const views = await this.repository.listOf(ctx, identity.developerId, this.quotas.organizationsPerDeveloper);
    return this.withPlans(ctx, views);
  }

  async get(ctx: RequestContext, id: string): Promise<Organization> {
    const view = await this.repository.findOf(ctx, developerOf(ctx).developerId, id);
    if (!view) throw new AppError('permission_denied');
    const [organization] = await this.withPlans(ctx, [view]);
    if (!organization) throw new AppError('permission_denied');
    return organization;
  }

  async rename(ctx: RequestContext, id: string, name: string | undefined): Promise<Organization> {
    return this.transactions.run(ctx, async (tx) => {
      if (name !== undefined) {
        await this.repository.rename(tx, id, name);
        await this.audit.record(tx, { type: 'organization.updated', organizationId: id, payload: { name } });
      }
      return this.get(tx, id);
    });
  }

  /** @throws AppError dependency_exists while the organization has projects, or owes money. */
  async delete(ctx: RequestContext, id: string): Promise<void> {
    await this.transactions.run(ctx, async (tx) => {
      // A concurrent request has deleted it, since the access of this one was checked.
      if (!(await this.repository.lock(tx, id))) throw new AppError('permission_denied');
      // Checked before the debt, because projects, which cost more every day, must be deleted first.
      await this.deleting.run(tx, id);
      const owedMicroUsd = await this.billing.closeAccount(tx, id);
      if (owedMicroUsd > 0n) throw balanceOwed(owedMicroUsd);
      await this.repository.delete(tx, id);
      await this.audit.record(tx, { type: 'organization.deleted', organizationId: id, payload: {} });
    });
  }

  /** True when the address belongs to a member. Compared as an e-mail key, so case does not matter. */
  async hasMember(ctx: RequestContext, id: string, email: string): Promise<boolean> {
    const developerId = await this.developers.findIdByEmail(ctx, email);
    return developerId !== null && (await this.findRoles(ctx, id, developerId)) !== null;
  }

  /** The name of an organization; null when it does not exist. Does not check that the caller is a member. */
  findName(ctx: RequestContext, id: string): Promise<string | null> {
    return this.repository.findName(ctx, id);
  }

  /** Name and plan of an organization; null when it does not exist. Does not check that the caller is a member. */
  async findSummary(ctx: RequestContext, id: string): Promise<OrganizationSummary | null> {
    const name = await this.repository.findName(ctx, id);
    if (name === null) return null;
    const plans = await this.billing.plansOf(ctx, [id]);
    return { id, name, plan: plans.get(id) ?? 'team' };
  }

  /** Locks an organization until the transaction ends. False when it does not exist. */
  lock(tx: RequestContext, id: string): Promise<boolean> {
    return this.repository.lock(tx, id);
  }

  /** A developer's roles in an organization; null when they are not a member. Not cached, so that a removed role ends access immediately. */
  findRoles(ctx: RequestContext, id: string, developerId: string): Promise<readonly OrganizationRole[] | null> {
    return this.repository.findRoles(ctx, id, developerId);
  }

  /** @throws AppError quota_exceeded when the developer belongs to as many organizations as allowed. */
  async requireRoomFor(ctx: RequestContext, developerId: string): Promise<void> {
    const limit = this.quotas.organizationsPerDeveloper;
    const used = await this.repository.lockMembershipsOf(ctx, developerId);
    const advice = `You belong to ${limit} organizations, which is the limit. Leave one first.`;
    requireRoom({ name: 'organizations_per_developer', limit }, used, advice);
  }

  private async withPlans(ctx: RequestContext, views: readonly MemberView[]): Promise<Organization[]> {
    const plans = await this.billing.plansOf(
      ctx,
      views.map(({ id }) => id),
    );
    return views.map(({ id, name, roles, createdAt }) => ({
      id,
      name,
      plan: plans.get(id) ?? 'team',
      roles,
      createdAt,
    }));
  }
}

const balanceOwed = (owedMicroUsd: bigint): AppError =>
  new AppError('dependency_exists', {
    message: `The organization owes ${inDollars(owedMicroUsd)} USD, including the fee until now. Pay it with a top-up, then delete the organization.`,
    details: { reason: 'balance_owed', owed_micro_usd: Number(owedMicroUsd) },
  });
