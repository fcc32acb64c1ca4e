import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { BillingService } from '#modules/billing';
import { StorageService } from '#modules/storage';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { Transactions } from '#infra/database/transactions';
import { OrganizationErasureRepository, type OrganizationSize } from './organization-erasure.repository';

export interface ErasureOptions {
  /** Does not wait until the artifacts are gone from storage of the organization's own. */
  readonly leaveOwnStorage: boolean;
}

/** What became of an erasure. */
export interface ErasedOrganization {
  readonly builds: number;
  readonly testers: number;
}

const BUILDS = 100;
const TESTERS = 500;
/** How long a worker may take to empty a store of the organization's own, as long as it gets on. */
const PATIENCE_MS = 20_000;
const POLL_MS = 200;

/**
 * Erases an organization with all that belongs to it (contract §16). Access ends first; then builds and testers go, some at a time,
 * each with its artifact's deletion in the same transaction; at last the rest, with a last statement. Killed at any point, the same
 * call goes on. What was paid and the audit feed stay: they hold ids and amounts, no name and no address of e-mail.
 */
@Injectable()
export class OrganizationErasureService {
  constructor(
    private readonly repository: OrganizationErasureRepository,
    private readonly billing: BillingService,
    private readonly storage: StorageService,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
  ) {}

  sizeOf(ctx: RequestContext, organizationId: string): Promise<OrganizationSize> {
    return this.repository.sizeOf(ctx, organizationId);
  }

  wasErased(ctx: RequestContext, organizationId: string): Promise<boolean> {
    return this.repository.wasErased(ctx, organizationId);
  }

  /** @throws AppError operation_not_allowed while artifacts are left in storage of its own that cannot be emptied. */
  async erase(
    ctx: RequestContext,
    organizationId: string,
    options: ErasureOptions,
    report: (done: number, total: number, part: string) => void,
  ): Promise<ErasedOrganization> {
    const { builds, testers } = await this.repository.sizeOf(ctx, organizationId);
    await this.transactions.run(ctx, async (tx) => {
      await this.repository.endAccess(tx, organizationId);
      await this.repository.abandonUploads(tx, organizationId);
      const payload = { builds, testers };
      await this.audit.record(tx, { type: 'organization.erasure_started', organizationId, payload });
    });
    const erased = { builds: 0, testers: 0 };
    for (let count = -1; count !== 0;) {
      count = await this.transactions.run(ctx, (tx) => this.eraseBuilds(tx, organizationId));
      report((erased.builds += count), Math.max(builds, erased.builds), 'builds');
    }
    for (let count = -1; count !== 0;) {
      count = await this.transactions.run(ctx, (tx) => this.repository.deleteTesters(tx, organizationId, TESTERS));
      report((erased.testers += count), Math.max(testers, erased.testers), 'testers');
    }
    if (!options.leaveOwnStorage) await this.waitForOwnStore(ctx, organizationId);
    await this.transactions.run(ctx, (tx) => this.eraseRest(tx, organizationId, erased));
    return erased;
  }

  private async eraseBuilds(tx: RequestContext, organizationId: string): Promise<number> {
    const builds = await this.repository.deleteBuilds(tx, organizationId, BUILDS);
    for (const { id, blob } of builds) {
      await this.billing.endStorage(tx, organizationId, id);
      await this.storage.deleteLater(tx, blob);
    }
    // With the parts of a copy that was killed.
    for (const place of await this.repository.deleteMoves(tx, organizationId))
      await this.storage.abortLater(tx, place, null);
    return builds.length;
  }

  private async eraseRest(tx: RequestContext, organizationId: string, erased: ErasedOrganization): Promise<void> {
    if (!(await this.repository.lock(tx, organizationId))) return;
    // An upload that was let in before access ended may have become a build since.
    while ((await this.eraseBuilds(tx, organizationId)) > 0);
    await this.billing.closeAccount(tx, organizationId);
    await this.repository.deleteRest(tx, organizationId);
    await this.audit.record(tx, { type: 'organization.erased', organizationId, payload: { ...erased } });
  }

  /** A worker empties it; it is known for as long as that takes. */
  private async waitForOwnStore(ctx: RequestContext, organizationId: string): Promise<void> {
    let left = await this.countLeft(ctx, organizationId);
    for (let waitedMs = 0; left; waitedMs += POLL_MS) {
      if (waitedMs >= PATIENCE_MS) throw notEmptied(left);
      await sleep(POLL_MS);
      const now = await this.countLeft(ctx, organizationId);
      if (now !== left) waitedMs = 0;
      left = now;
    }
  }

  /** Blobs that have still to go, and uploads to be given up; of none without a store. */
  private async countLeft(ctx: RequestContext, organizationId: string): Promise<number> {
    const own = await this.repository.findOwnStore(ctx, organizationId);
    return own ? own.uploads + (await this.storage.countDeletions(ctx, own.account)) : 0;
  }
}

const notEmptied = (left: number): AppError =>
  new AppError('operation_not_allowed', {
    message:
      `All but the rest is erased. ${left} deletions in the organization's own storage are left: a running service makes them. ` +
      'Say the command again then, or --leave-own-storage to leave the artifacts to its owner.',
    details: { reason: 'own_storage_not_empty', left },
  });
