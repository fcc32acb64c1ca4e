import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { newId } from '#kernel/ids';
import { BillingService, type PlanChange } from '#modules/billing';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { Transactions } from '#infra/database/transactions';
import { Jobs } from '#infra/jobs/jobs';
import { toCheckResponse } from './byosa.mapper';
import { CustomerStores, toCustomerAccount } from '../accounts/customer-stores';
import { type Diagnosis, StoreDiagnosis } from './diagnosis';
import { type CustomerAccount, isSamePlace, type StoreSettings } from '../accounts/storage-account';
import { type StorageAccountEntity } from '../accounts/storage-account.entity';
import { StorageAccountsRepository } from '../accounts/storage-accounts.repository';
import { HOSTED, type StorageAccount } from '../storage.service';

/** Whether anything of ours is, or may come to be, in an account. */
export type AccountUse = (ctx: RequestContext, account: StorageAccount) => Promise<boolean>;

/** An organization's own storage account: none → configured → active → draining → none (contract §11). */
@Injectable()
export class ByosaService implements OnModuleInit {
  private readonly uses: AccountUse[] = [];

  constructor(
    private readonly accounts: StorageAccountsRepository,
    private readonly stores: CustomerStores,
    private readonly diagnosis: StoreDiagnosis,
    private readonly billing: BillingService,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.billing.onPlanChange((ctx, change) => this.keepPlan(ctx, change));
    this.jobs.schedule('storage.remove-drained', '23 * * * *', (ctx) => this.removeDrained(ctx));
  }

  /** Registers who has blobs in accounts: called in `onModuleInit` by modules that keep some. */
  onRemoval(isUsed: AccountUse): void {
    this.uses.push(isUsed);
  }

  async find(ctx: RequestContext, organizationId: string): Promise<CustomerAccount | null> {
    const row = await this.accounts.find(ctx, organizationId);
    return row && toCustomerAccount(row);
  }

  /** @throws AppError not_found when there is none. */
  async diagnose(ctx: RequestContext, organizationId: string): Promise<Diagnosis> {
    const row = await this.accounts.find(ctx, organizationId);
    if (!row) throw noAccount();
    return this.diagnosis.run(this.stores.settingsOf(row));
  }

  /**
   * Tries settings out, in no transaction.
   * @throws AppError operation_not_allowed on another plan, or when they would lead away from blobs; invalid_input
   * `checks_failed` with details.checks.
   */
  async check(ctx: RequestContext, organizationId: string, settings: StoreSettings): Promise<void> {
    await this.billing.requirePlan(ctx, organizationId, 'business');
    requireSamePlace(await this.accounts.find(ctx, organizationId), settings);
    requirePassed(await this.diagnosis.run(settings));
  }

  /** Keeps settings that have been tried out. Once the account is active only credentials can change. */
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
   * Starts teardown. An account that was never used goes at once; an active one stays as it is until an operator flips it back.
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
   * Has new artifacts go to the customer's account, or to the hosted one again; the meters rest, or run again, from the same
   * instant. Nothing happens when it is so already.
   * @returns where they go now.
   * @throws AppError not_found without an account; invalid_input `checks_failed`.
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

  /** Forgets the accounts that are given up and in which nothing of ours is left. */
  async removeDrained(ctx: RequestContext): Promise<void> {
    for (const { organizationId } of await this.accounts.findDraining(ctx)) {
      await this.transactions.run(ctx, async (tx) => {
        const row = await this.accounts.lock(tx, organizationId);
        if (row?.state !== 'draining' || row.receives) return;
        for (const isUsed of this.uses) if (await isUsed(tx, row.id)) return;
        if ((await this.accounts.countDeletions(tx, row.id)) > 0) return;
        await this.remove(tx, row);
      });
    }
  }

  private async remove(tx: RequestContext, { id, organizationId, provider }: StorageAccountEntity): Promise<void> {
    await this.accounts.delete(tx, id);
    await this.audit.record(tx, { type: 'byosa.removed', organizationId, payload: { account_id: id, provider } });
  }

  private async keepPlan(ctx: RequestContext, { organizationId }: PlanChange): Promise<void> {
    if (!(await this.accounts.find(ctx, organizationId))) return;
    throw new AppError('dependency_exists', {
      message: 'This organization has storage of its own. Tear that down first.',
      details: { reason: 'byosa' },
    });
  }
}

function requireSamePlace(before: StorageAccountEntity | null, settings: StoreSettings): void {
  if (!before || before.state === 'configured' || isSamePlace(before, settings)) return;
  throw new AppError('operation_not_allowed', {
    message: 'Artifacts are in this account: only its credentials can change. Tear it down to move to another place.',
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
  new AppError('operation_not_allowed', { message: 'This account was never active: artifacts are hosted already.' });
