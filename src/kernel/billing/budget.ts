/** The percentages at which an organization is told, unless it wishes otherwise (contract §10). */
export const DEFAULT_ALERT_PERCENTS: readonly number[] = [50, 80, 100];

/**
 * The highest of the percentages that spending has reached, or null. A budget that is used up before anything is spent has
 * been reached by nothing.
 */
export function reachedPercent(
  spentMicroUsd: bigint,
  budgetMicroUsd: bigint | null,
  percents: readonly number[],
): number | null {
  if (budgetMicroUsd === null || spentMicroUsd <= 0n) return null;
  const reached = percents.filter((percent) => spentMicroUsd * 100n >= budgetMicroUsd * BigInt(percent));
  return reached.length > 0 ? Math.max(...reached) : null;
}
