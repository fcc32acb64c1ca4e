import { type RetentionResponse } from '@agate/client';

type Rule = RetentionResponse['rules'][number];

/** The rules of a project in sentences, one on a line. */
export function describeRetention({ enabled, rules }: RetentionResponse): string {
  if (rules.length === 0) return 'The project has no rules. No build is deleted.';
  const state = enabled ? 'On: builds that a rule is about, and none keeps, are deleted.' : 'Off: no build is deleted.';
  return [state, ...rules.map(sentenceOf)].join('\n');
}

/** Such as `Of feature/*, keep the newest 20 of each branch and those of the last 30 days.` */
function sentenceOf({ keep_last: last, keep_days: days, per, branches }: Rule): string {
  const kept = [
    ...(last === null ? [] : [`the newest ${last}${per === 'project' ? '' : ` of each ${per}`}`]),
    ...(days === null ? [] : [`those of the last ${days === 1 ? 'day' : `${days} days`}`]),
  ];
  return `Of ${branches.length === 0 ? 'all builds' : branches.join(', ')}, keep ${kept.join(' and ')}.`;
}
