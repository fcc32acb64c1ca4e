import { type RetentionGroup, type RetentionRuleRequest } from '@agate/client';
import { type Retention } from '../../queries/project/retention';

/** A rule as it is typed. An empty number leaves its condition out. */
export interface DraftRule {
  /** Distinguishes the rules of a form. */
  readonly id: number;
  readonly keepLast: string;
  readonly keepDays: string;
  readonly per: RetentionGroup;
  /** Patterns. Null: the rule is about all builds. */
  readonly branches: string | null;
}

export interface Draft {
  readonly enabled: boolean;
  readonly rules: readonly DraftRule[];
}

/** The maximum number of rules of a project. */
export const MAX_RULES = 10;
export const MAX_KEPT = 100_000;
export const MAX_DAYS = 3_650;

const textOf = (number: number | null): string => (number === null ? '' : String(number));

export const draftOf = ({ rules, enabled }: Retention): Draft => ({
  enabled,
  rules: rules.map(({ keep_last, keep_days, per, branches }, id) => ({
    id,
    keepLast: textOf(keep_last),
    keepDays: textOf(keep_days),
    per,
    branches: branches.length === 0 ? null : branches.join(', '),
  })),
});

/** A rule to begin with. */
export const firstRule = (rules: readonly DraftRule[]): DraftRule => ({
  id: Math.max(-1, ...rules.map(({ id }) => id)) + 1,
  keepLast: '20',
  keepDays: '90',
  per: 'branch',
  branches: null,
});

/** A whole number within the limits; null when it is empty, undefined when it is wrong. */
function numberOf(text: string, max: number): number | null | undefined {
  if (text.trim() === '') return null;
  const number = Number(text);
  return Number.isInteger(number) && number >= 1 && number <= max ? number : undefined;
}

export const patternsOf = (text: string): readonly string[] => [...new Set(text.split(/[\s,]+/).filter(Boolean))];

/** The rule as the API names it; null while it is incomplete. */
export function ruleOf({ keepLast, keepDays, per, branches }: DraftRule): Required<RetentionRuleRequest> | null {
  const last = numberOf(keepLast, MAX_KEPT);
  const days = numberOf(keepDays, MAX_DAYS);
  const patterns = branches === null ? [] : patternsOf(branches);
  if (last === undefined || days === undefined || (last === null && days === null)) return null;
  if (branches !== null && patterns.length === 0) return null;
  return { keep_last: last, keep_days: days, per, branches: patterns };
}

/** The rules as the API names them; null while one is incomplete, or there is none. */
export function rulesOf({ rules }: Draft): readonly RetentionRuleRequest[] | null {
  const complete = rules.map(ruleOf).filter((rule) => rule !== null);
  return complete.length === 0 || complete.length < rules.length ? null : complete;
}

const withoutIds = ({ enabled, rules }: Draft): string =>
  JSON.stringify([enabled, rules.map(({ id: _, ...rule }) => rule)]);

/** Whether a draft is what the service has. */
export const isSame = (one: Draft, other: Draft): boolean => withoutIds(one) === withoutIds(other);

/** A draft that was kept as text. Null when it is none. */
export function parseDraft(text: string | null): Draft | null {
  try {
    return text === null ? null : (JSON.parse(text) as Draft);
  } catch {
    return null;
  }
}
