/** The percentages of the budget at which alerts are sent by default. */
export const DEFAULT_ALERT_PERCENTS: readonly number[] = [50, 80, 90, 100];

/** The highest percentage of the budget that the used amount has reached. Null when there is none, no budget or no use. */
export function reachedPercent(
  usedMicroUsd: bigint,
  budgetMicroUsd: bigint | null,
  percents: readonly number[],
): number | null {
  if (budgetMicroUsd === null || usedMicroUsd <= 0n) return null;
  const reached = percents.filter((percent) => usedMicroUsd * 100n >= budgetMicroUsd * BigInt(percent));
  return reached.length > 0 ? Math.max(...reached) : null;
}
