import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { type OrganizationSize } from '#kernel/account-data';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { Transactions } from '#infra/database/transactions';
import { OrganizationsService } from '#modules/organizations';
import { AccountErasures } from './account-erasures';

export interface ErasureOptions {
  /** Does not wait until the artifacts are deleted from the organization's own storage. */
  readonly leaveOwnStorage: boolean;
}

/** The numbers of rows that this run has deleted. */
export interface ErasedOrganization {
  readonly builds: number;
  readonly testers: number;
}

type Report = (done: number, total: number, part: string) => void;

/** The wait for the organization's own storage ends when no deletion has completed for this long. */
const STALL_TIMEOUT_MS = 20_000;
const POLL_MS = 200;
const EMPTY: OrganizationSize = { projects: 0, builds: 0, buildBytes: 0, testers: 0, members: 0 };

/**
 * Erases an organization with all its data. Access ends first. Then builds and testers are deleted in batches, and the deletion of an
 * artifact is enqueued in the transaction that deletes its build. One last transaction closes the billing account and deletes the other
 * rows. An interrupted erasure continues when it is started again. The ledger, the statements and the audit feed stay: they hold ids and
 * amounts, and no personal data.
 */
@Injectable()
export class OrganizationErasureService {
  constructor(
    private readonly erasures: AccountErasures,
    private readonly organizations: OrganizationsService,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
  ) {}

  async sizeOf(ctx: RequestContext, organizationId: string): Promise<OrganizationSize> {
    let size = EMPTY;
    for (const part of this.erasures.all) size = { ...size, ...(await part.measure?.(ctx, organizationId)) };
    return size;
  }

  /** True when an operator erased an organization with this id. */
  wasErased(ctx: RequestContext, organizationId: string): Promise<boolean> {
    return this.audit.wasRecorded(ctx, { types: ['organization.erased'], organizationId });
  }

  /** @throws AppError operation_not_allowed while artifacts in the organization's own storage cannot be deleted. */
  async erase(
    ctx: RequestContext,
    organizationId: string,
    options: ErasureOptions,
    report: Report,
  ): Promise<ErasedOrganization> {
    const { builds, testers } = await this.sizeOf(ctx, organizationId);
    await this.transactions.run(ctx, async (tx) => {
      for (const part of this.erasures.all) await part.endAccess?.(tx, organizationId);
      const payload = { builds, testers };
      await this.audit.record(tx, { type: 'organization.erasure_started', organizationId, payload });
    });
    const erased = await this.eraseBatches(ctx, organizationId, { builds, testers }, report);
    if (!options.leaveOwnStorage) await this.waitForOwnStorage(ctx, organizationId);
    await this.transactions.run(ctx, (tx) => this.eraseRest(tx, organizationId, erased));
    return erased;
  }

  private async eraseBatches(
    ctx: RequestContext,
    organizationId: string,
    totals: ErasedOrganization,
    report: Report,
  ): Promise<ErasedOrganization> {
    const erased = { builds: 0, testers: 0 };
    for (const { batches } of this.erasures.all) {
      if (!batches) continue;
      const { of } = batches;
      for (let count = -1; count !== 0;) {
        count = await this.transactions.run(ctx, (tx) => batches.erase(tx, organizationId));
        report((erased[of] += count), Math.max(totals[of], erased[of]), of);
      }
    }
    return erased;
  }

  private async eraseRest(tx: RequestContext, organizationId: string, erased: ErasedOrganization): Promise<void> {
    // A concurrent erasure has finished.
    if (!(await this.organizations.lock(tx, organizationId))) return;
    for (const part of this.erasures.all) await part.eraseRest?.(tx, organizationId);
    await this.audit.record(tx, { type: 'organization.erased', organizationId, payload: { ...erased } });
  }

  /** The workers of a running service delete the artifacts. They need the storage account until then. */
  private async waitForOwnStorage(ctx: RequestContext, organizationId: string): Promise<void> {
    let left = await this.countPending(ctx, organizationId);
    for (let waitedMs = 0; left; waitedMs += POLL_MS) {
      if (waitedMs >= STALL_TIMEOUT_MS) throw ownStorageNotEmpty(left);
      await sleep(POLL_MS);
      const now = await this.countPending(ctx, organizationId);
      if (now !== left) waitedMs = 0;
      left = now;
    }
  }

  private async countPending(ctx: RequestContext, organizationId: string): Promise<number> {
    let pending = 0;
    for (const part of this.erasures.all) pending += (await part.countPending?.(ctx, organizationId)) ?? 0;
    return pending;
  }
}

const ownStorageNotEmpty = (left: number): AppError =>
  new AppError('operation_not_allowed', {
    message:
      `The builds and testers are erased. ${left} deletions in the organization's own storage are pending, and only a running service ` +
      'performs them. Start the service and run this command again, or use --leave-own-storage to keep the artifacts there.',
    details: { reason: 'own_storage_not_empty', left },
  });
