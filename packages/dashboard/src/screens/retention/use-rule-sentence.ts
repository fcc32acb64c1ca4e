import { type RetentionRuleRequest } from '@agate/client';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';

/** Returns a function that says a rule: "Keep the newest 20 builds of each branch and builds younger than 90 days." */
export function useRuleSentence(): (rule: Required<RetentionRuleRequest>) => string {
  const words = useWords().retention;
  const format = useFormat();
  return ({ keep_last: last, keep_days: days, per, branches }) => {
    const kept = [
      ...(last === null ? [] : [format.plural(last, words.kept[per])]),
      ...(days === null ? [] : [format.plural(days, words.kept.days)]),
    ];
    return words.sentence(branches.length === 0 ? null : format.list(branches), format.list(kept));
  };
}
