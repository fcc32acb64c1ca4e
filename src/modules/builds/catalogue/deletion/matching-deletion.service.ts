import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { AppError } from '#kernel/errors/app-error';
import { Transactions } from '#infra/database/transactions';
import { type BuildDeletion, type DeletionOptions } from './build-deletion';
import { BuildDeletionService } from './build-deletion.service';
import { DeletableBuilds, type DeletionFilter, type Selection } from './deletable-builds';
import { type DeletionPreview, DeletionPreviews } from './deletion-preview';

/** The number of builds that one request moves to the trash, in one transaction. */
const MAX_TRASHED = 500;
/** The number that one request deletes permanently. It locks the billing account of the organization. */
const MAX_DELETED = 200;

/** A filter, and the proof that its builds were previewed. */
export interface PreviewedFilter {
  readonly filter: DeletionFilter;
  readonly fingerprint: string;
}

/** The result of one request, which deletes a part of the builds of a preview. */
export interface MatchingDeletion {
  readonly deletions: readonly BuildDeletion[];
  /** The number of builds that are left. */
  readonly remaining: number;
  /** The fingerprint of the builds that are left. */
  readonly fingerprint: string;
}

/** Deletes the builds that meet a filter, after a preview. Builds that were uploaded after the preview stay. */
@Injectable()
export class MatchingDeletionService {
  constructor(
    private readonly deletion: BuildDeletionService,
    private readonly builds: DeletableBuilds,
    private readonly previews: DeletionPreviews,
    private readonly transactions: Transactions,
  ) {}

  /** @throws AppError invalid_input when the filter has no condition. */
  async preview(ctx: RequestContext, scope: ProjectScope, filter: DeletionFilter): Promise<DeletionPreview> {
    return this.previews.of(ctx, scope, textOf(filter), (newestId): Selection => ({ filter, newestId }));
  }

  /**
   * Deletes the oldest of the builds of a preview. A permanent deletion cannot be undone, so it deletes nothing when builds were restored or
   * unpinned, or are no longer current, since the preview, which did not show them.
   * @throws AppError invalid_input when the filter has no condition; operation_not_allowed when it was not previewed within the last hour, or
   * the builds of a permanent deletion are not those of the preview.
   */
  async delete(
    ctx: RequestContext,
    scope: ProjectScope,
    { filter, fingerprint }: PreviewedFilter,
    options: DeletionOptions,
  ): Promise<MatchingDeletion> {
    const previewed = this.previews.require(ctx, scope, textOf(filter), fingerprint);
    const selection = { filter, newestId: previewed.newestId };
    const limit = options.permanently ? MAX_DELETED : MAX_TRASHED;
    return this.transactions.run(ctx, async (tx) => {
      const { ids, builds, digest } = await this.builds.first(tx, scope, selection, limit);
      if (options.permanently && digest !== previewed.digest) throw isOutdated();
      const deletions = await this.deletion.deleteMany(tx, scope, ids, options);
      const rest = this.previews.without(scope, previewed, ids);
      return { deletions, remaining: builds - ids.length, fingerprint: rest };
    });
  }
}

const isOutdated = (): AppError =>
  new AppError('operation_not_allowed', {
    message: 'The builds that meet the filter are not those of the preview. Preview it again.',
    details: { reason: 'preview_outdated' },
  });

/** @throws AppError invalid_input when the filter has no condition: it would match every build. */
function textOf(filter: DeletionFilter): string {
  const conditions = Object.entries(filter).filter(([, value]) => value !== undefined);
  if (conditions.length === 0)
    throw AppError.invalidInput('filter_required', 'The filter matches every build. Add a condition to it.');
  return JSON.stringify(conditions.sort(([a], [b]) => (a < b ? -1 : 1)));
}
