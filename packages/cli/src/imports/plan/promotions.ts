import { byTime, type PlannedBuild } from './import-plan';

/** One promotion of a build that exists. */
export interface Promotion {
  readonly channel: string;
  readonly buildId: string;
  readonly notes: string | null;
}

/** A build of the plan and the build that it has become. */
export interface ImportedBuild {
  readonly planned: PlannedBuild;
  readonly id: string;
}

/** All promotions of a plan, in the order in which they happened. */
export function promotionsOf(imported: readonly ImportedBuild[]): Promotion[] {
  const all = imported.flatMap(({ planned, id }) =>
    planned.releases.map(({ channel, notes, promoted_at }) => ({
      promotion: { channel, buildId: id, notes },
      time: promoted_at ?? planned.uploaded_at,
    })),
  );
  return byTime(all, ({ time }) => time).map(({ promotion }) => promotion);
}

/**
 * The promotions of one channel that are still to be made. An import that was interrupted has made the first of them.
 * @param made the builds that were promoted to the channel, oldest first.
 */
export function missingPromotions(promotions: readonly Promotion[], made: readonly string[]): Promotion[] {
  let next = 0;
  return promotions.filter(({ buildId }) => {
    const found = made.indexOf(buildId, next);
    if (found >= 0) next = found + 1;
    return found < 0;
  });
}
