import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { AppError } from '#kernel/errors/app-error';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { Transactions } from '#infra/database/transactions';
import { BillingService } from '#modules/billing';
import { StorageService } from '#modules/storage';
import { AttachmentsService } from '../../attachments/attachments.service';
import { BuildsRepository } from '../builds.repository';
import { BuildViews } from '../views/build-views';
import { type BuildDeletion, type LockedBuild } from './build-deletion';

/** Deletes builds with their attachments, links and tickets, and stops their storage meters. A job deletes the bytes after the commit. */
@Injectable()
export class BuildDeletionService {
  constructor(
    private readonly repository: BuildsRepository,
    private readonly attachments: AttachmentsService,
    private readonly views: BuildViews,
    private readonly billing: BillingService,
    private readonly storage: StorageService,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
  ) {}

  /** @throws AppError not_found; dependency_exists when the build is the current release of a channel. */
  async deleteOne(ctx: RequestContext, scope: ProjectScope, id: string): Promise<void> {
    await this.transactions.run(ctx, async (tx) => {
      const builds = await this.repository.lockMany(tx, scope, [id]);
      if (builds.length === 0) throw AppError.notFound('build');
      await this.deleteLocked(tx, scope, builds);
    });
  }

  /** Deletes the builds that no channel has as its current release. @returns what was done with each, in the order of `ids`. */
  async deleteMany(
    ctx: RequestContext,
    scope: ProjectScope,
    ids: readonly string[],
  ): Promise<readonly BuildDeletion[]> {
    return this.transactions.run(ctx, async (tx) => {
      const locked = new Map((await this.repository.lockMany(tx, scope, ids)).map((build) => [build.id, build]));
      const channelsOf = await this.views.channelsOf(tx, scope, [...locked.keys()]);
      const deletions = ids.map((buildId): BuildDeletion => {
        if (!locked.has(buildId)) return { buildId, outcome: 'not_found', channels: [] };
        const channels = (channelsOf.get(buildId) ?? []).filter(({ current }) => current);
        return { buildId, outcome: channels.length > 0 ? 'current' : 'deleted', channels };
      });
      const deleted = deletions.filter(({ outcome }) => outcome === 'deleted');
      await this.deleteLocked(
        tx,
        scope,
        deleted.map(({ buildId }) => locked.get(buildId) as LockedBuild),
      );
      return deletions;
    });
  }

  /** The billing account is locked last, for the shortest time: downloads of the organization wait for it. */
  private async deleteLocked(tx: RequestContext, scope: ProjectScope, builds: readonly LockedBuild[]): Promise<void> {
    const ids = builds.map(({ id }) => id);
    const attachments = await this.attachments.deleteOfBuilds(tx, ids);
    const places = await this.repository.deleteMany(tx, scope, ids);
    await this.audit.recordAll(
      tx,
      builds.map(({ id, version, buildNumber }) => {
        const payload = { build_id: id, version, build_number: buildNumber };
        return { type: 'build.deleted', ...scope, payload };
      }),
    );
    await this.storage.deleteAllLater(tx, places);
    await this.attachments.clear(tx, attachments);
    await this.billing.endStorage(tx, scope.organizationId, ids);
  }
}
