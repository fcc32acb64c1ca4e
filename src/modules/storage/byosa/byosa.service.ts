import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { Hook } from '#kernel/hook';
import { newId } from '#kernel/ids';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { Transactions } from '#infra/database/transactions';
import { Jobs } from '#infra/jobs/jobs';
import { BillingService, type PlanChange } from '#modules/billing';
import { CustomerStoresService, toCustomerAccount } from '../accounts/customer-stores.service';
import { type CustomerAccount, isSamePlace, type StoreSettings } from '../accounts/storage-account';
import { type StorageAccountEntity, StorageAccountsRepository } from '../accounts/storage-accounts.repository';
import { HOSTED, type StorageAccount } from '../storage.service';
import { toCheckResponse } from './byosa.mapper';
import { type Diagnosis } from './diagnosis/diagnosis';
import { StoreDiagnosisService } from './diagnosis/store-diagnosis.service';

/** An organization's own storage account and its states: none → configured → active → draining → none. */
@Injectable()
export class ByosaService implements OnModuleInit {
  /**
   * Runs before a drained account is removed, in the transaction of the removal. A handler returns true while its module has blobs
   * in the account, or can still store some there; the account then stays.
   */
  readonly accountUse = new Hook<[ctx: RequestContext, account: StorageAccount], boolean>();

  constructor(
    private readonly accounts: StorageAccountsRepository,
    private readonly stores: CustomerStoresService,
    private readonly diagnosis: StoreDiagnosisService,
    private readonly billing: BillingService,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.billing.planChange.add((ctx, change) => this.rejectPlanChange(ctx, change));
    this.jobs.schedule('storage.remove-drained', '23 * * * *', (ctx) => this.removeDrained(ctx));
  }

  /** Null when the organization has none. */
  async find(ctx: RequestContext, organizationId: string): Promise<CustomerAccount | null> {
    const row = await this.accounts.findByOrganization(ctx, organizationId);
    return row && toCustomerAccount(row);
  }

  /** Runs the checks on the configured account. @throws AppError not_found when there is none. */
  async diagnose(ctx: RequestContext, organizationId: string): Promise<Diagnosis> {
    const row = await this.accounts.findByOrganization(ctx, organizationId);
    if (!row) throw noAccount();
    return this.diagnosis.run(this.stores.settingsOf(row));
  }

  /**
   * Runs the checks on settings that are not saved yet. Call it outside a transaction, because it takes seconds.
   * @throws AppError operation_not_allowed on another plan, or when an account in use would change its place; invalid_input
   * `checks_failed` with details.checks.
   */
  async check(ctx: RequestContext, organizationId: string, settings: StoreSettings): Promise<void> {
    await this.billing.requirePlan(ctx, organizationId, 'business');
    requireSamePlace(await this.accounts.findByOrganization(ctx, organizationId), settings);
    requirePassed(await this.diagnosis.run(settings));
  }

  /** Saves settings that passed the checks. @throws AppError operation_not_allowed like `check`. */
  async save(ctx: RequestContext, organizationId: string, settings: StoreSettings): Promise<CustomerAccount> {
    return this.transactions.run(ctx, async (tx) => {
      await this.billing.requirePlan(tx, organizationId, 'business');
      const before = await this.accounts.lock(tx, organizationId);
      requireSamePlace(before, settings);
      const now = tx.clock.now();
      const id = before?.id ?? newId();
      const { provider, place } = settings;
      const row: StorageAccountEntity = {
        ...(before ?? { id, organizationId, state: 'configured', receives: false, createdAt: now }),
        provider,
        place,
        sealedCredentials: this.stores.seal(id, settings),
        updatedAt: now,
      };
      await this.accounts.save(tx, row);
      const type = before ? 'byosa.changed' : 'byosa.configured';
      await this.audit.record(tx, { type, organizationId, payload: { account_id: id, provider, state: row.state } });
      return toCustomerAccount(row);
    });
  }

  /**
   * Starts the teardown. An account that was never active is removed immediately. An active account becomes `draining` and still
   * receives artifacts until an operator flips the organization to the hosted store.
   * @throws AppError not_found when there is none.
   */
  async tearDown(ctx: RequestContext, organizationId: string): Promise<void> {
    await this.transactions.run(ctx, async (tx) => {
      const row = await this.accounts.lock(tx, organizationId);
      if (!row) throw noAccount();
      if (row.state === 'configured') return this.remove(tx, row);
      if (row.state === 'draining') return;
      await this.accounts.save(tx, { ...row, state: 'draining', updatedAt: tx.clock.now() });
      const payload = { account_id: row.id, provider: row.provider, state: 'draining' };
      await this.audit.record(tx, { type: 'byosa.changed', organizationId, payload });
    });
  }

  /**
   * Directs new artifacts to the customer's account or back to the hosted store. In the same transaction, stops or starts the
   * organization's meters. Does nothing when the artifacts already go there.
   * @returns the account that new artifacts are stored in.
   * @throws AppError not_found without an account; invalid_input `checks_failed`; operation_not_allowed on another plan, or to flip
   * an account back that was never active.
   */
  async flip(ctx: RequestContext, organizationId: string, to: 'byosa' | 'hosted'): Promise<StorageAccount> {
    const toCustomer = to === 'byosa';
    if (toCustomer) requirePassed(await this.diagnose(ctx, organizationId));
    return this.transactions.run(ctx, async (tx) => {
      if (toCustomer) await this.billing.requirePlan(tx, organizationId, 'business');
      const row = await this.accounts.lock(tx, organizationId);
      if (!row) throw noAccount();
      const state = toCustomer ? 'active' : 'draining';
      const account = toCustomer ? row.id : HOSTED;
      if (row.state === state && row.receives === toCustomer) return account;
      if (row.state === 'configured' && !toCustomer) throw neverActive();
      await this.accounts.save(tx, { ...row, state, receives: toCustomer, updatedAt: tx.clock.now() });
      await this.billing.setMetered(tx, organizationId, !toCustomer);
      await this.audit.record(tx, { type: 'byosa.flipped', organizationId, payload: { account_id: row.id, to } });
      return account;
    });
  }

  /** Removes the draining accounts that are empty. */
  async removeDrained(ctx: RequestContext): Promise<void> {
    for (const { organizationId } of await this.accounts.findDraining(ctx)) {
      await this.transactions.run(ctx, async (tx) => {
        const row = await this.accounts.lock(tx, organizationId);
        if (row?.state !== 'draining' || row.receives) return;
        if ((await this.accountUse.run(tx, row.id)).includes(true)) return;
        if ((await this.accounts.countDeletions(tx, row.id)) > 0) return;
        await this.remove(tx, row);
      });
    }
  }

  private async remove(tx: RequestContext, { id, organizationId, provider }: StorageAccountEntity): Promise<void> {
    await this.accounts.delete(tx, id);
    await this.audit.record(tx, { type: 'byosa.removed', organizationId, payload: { account_id: id, provider } });
  }

  private async rejectPlanChange(ctx: RequestContext, { organizationId }: PlanChange): Promise<void> {
    if (!(await this.accounts.findByOrganization(ctx, organizationId))) return;
    throw new AppError('dependency_exists', {
      message: 'This organization has its own storage account. Tear the account down first.',
      details: { reason: 'byosa' },
    });
  }
}

function requireSamePlace(before: StorageAccountEntity | null, settings: StoreSettings): void {
  if (!before || before.state === 'configured' || isSamePlace(before, settings)) return;
  throw new AppError('operation_not_allowed', {
    message:
      'This account holds artifacts, so only its credentials can change. To use another bucket or container, tear the account down first.',
    details: { reason: 'byosa_in_use' },
  });
}

function requirePassed({ ok, checks }: Diagnosis): void {
  if (ok) return;
  const message = checks.find(({ status }) => status === 'failed')?.message ?? 'The checks did not pass.';
  throw AppError.invalidInput('checks_failed', message, { checks: checks.map(toCheckResponse) });
}

const noAccount = (): AppError => AppError.notFound('storage account of this organization');
const neverActive = (): AppError =>
  new AppError('operation_not_allowed', {
    message: 'This account was never active. Artifacts are stored in the hosted store already.',
  });
