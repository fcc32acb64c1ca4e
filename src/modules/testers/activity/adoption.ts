/**
 * How far testers got with a build: each tester is in exactly one step, the first that applies (docs/api-behaviour.md#adoption).
 */
export const ADOPTION_STEPS = [
  'has_it',
  'has_newer',
  'downloaded',
  'bounced',
  'opened',
  'mailed',
  'not_mailed',
] as const;
export type AdoptionStep = (typeof ADOPTION_STEPS)[number];

/** The steps of testers who do not lack the build. All others are mailed by reminders, and listed by `has_not`. */
export const POSSESSION_STEPS = ['has_it', 'has_newer'] as const satisfies readonly AdoptionStep[];

export const lacksBuild = (step: AdoptionStep): boolean => !POSSESSION_STEPS.some((one) => one === step);

/** The number of testers in each step. */
export type AdoptionCounts = Readonly<Record<AdoptionStep, number>>;

/** `has_not`: the steps of testers who lack the build. */
export const ADOPTION_FILTERS = [...ADOPTION_STEPS, 'has_not'] as const;

/** The release or build whose audience is meant. */
export type AdoptionOf = { readonly releaseId: string } | { readonly buildId: string };

/** The testers in a step of the adoption of a release or build. */
export interface AdoptionFilter {
  readonly of: AdoptionOf;
  readonly step: (typeof ADOPTION_FILTERS)[number];
}

/** What an export says about a tester, beyond their activity. */
export interface TesterAdoption {
  /** Whether the tester lacks none of the current builds of their channels. Null when these have none for them. */
  readonly hasCurrent: boolean | null;
  /** The step in the adoption of the release or build of the filter. Null without one. */
  readonly step: AdoptionStep | null;
  /** When the last mail about the release or build of the filter was queued to the tester. Null before, and without a filter. */
  readonly mailedAt: Date | null;
}
