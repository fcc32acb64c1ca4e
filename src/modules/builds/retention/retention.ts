/** Among which builds `keepLast` counts. */
export const RETENTION_GROUPS = ['project', 'platform', 'branch'] as const;
export type RetentionGroup = (typeof RETENTION_GROUPS)[number];

/** The maximum number of rules of a project. */
export const MAX_RULES = 10;

/** A rule about builds. It lets a build go that is neither among the last nor young enough; an absent condition keeps nothing. */
export interface RetentionRule {
  /** The number of newest builds that are kept. */
  readonly keepLast?: number | undefined;
  /** The age in days up to which builds are kept. */
  readonly keepDays?: number | undefined;
  readonly per: RetentionGroup;
  /** Patterns of the branches that the rule is about (`matchesBranch`). Absent: about all builds. */
  readonly branches?: readonly string[] | undefined;
}

/** The rules by which builds of a project are deleted: those that at least one rule is about, and that every rule about them lets go. */
export interface Retention {
  readonly rules: readonly RetentionRule[];
  readonly enabled: boolean;
  /** Null when it was never set. */
  readonly updatedAt: Date | null;
}

/** A new project deletes nothing. */
export const NO_RETENTION: Retention = { rules: [], enabled: false, updatedAt: null };

/** Builds that are younger are kept. */
export const YOUNG_HOURS = 24;
/** Builds that were downloaded within this time are kept. */
export const DOWNLOADED_DAYS = 14;
/** The time between the announcement of a deletion and the deletion. */
export const NOTICE_DAYS = 7;

/** The text by which a preview of rules is recognized. */
export const textOfRules = (rules: readonly RetentionRule[]): string =>
  JSON.stringify(
    rules.map(({ keepLast, keepDays, per, branches }) => [keepLast ?? null, keepDays ?? null, per, branches ?? null]),
  );
