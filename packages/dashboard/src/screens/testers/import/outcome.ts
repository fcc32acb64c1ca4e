import { type ImportedTesterResponse, type ImportedTestersResponse } from '@agate/client';
import { useFormat } from '../../../words/use-format';
import { useWords } from '../../../words/words-provider';

/** The outcome of adding people. */
export interface Outcome {
  readonly added: number;
  /** The project had them before. */
  readonly known: number;
  /** The number of people to whom an invitation was sent. */
  readonly invited: number;
  /** Addresses of people who were not subscribed, because they left the project or a chosen channel earlier. */
  readonly left: readonly string[];
}

/** The outcome of adding people, some of whom left one of the chosen channels earlier. */
export function outcomeOf(
  { created, existing, testers }: ImportedTestersResponse,
  leftChannel: ReadonlySet<string>,
  invited = 0,
): Outcome {
  const hasLeft = ({ id, outcome }: ImportedTesterResponse): boolean =>
    outcome === 'suppressed' || (id !== null && leftChannel.has(id));
  const left = new Set(testers.filter(hasLeft).map(({ email }) => email));
  return { added: created, known: existing, invited, left: [...left] };
}

/** The ids of the testers who were added or known, each once. */
export const idsOf = ({ testers }: ImportedTestersResponse): string[] => [
  ...new Set(testers.filter(({ outcome }) => outcome !== 'suppressed').flatMap(({ id }) => id ?? [])),
];

/** Returns a function that describes an outcome in words: "11 added, 1 known". */
export function useOutcomeText(): (outcome: Outcome) => string {
  const words = useWords().testers.result;
  const format = useFormat();
  return ({ added, known, invited, left }) =>
    [
      format.plural(added, words.added),
      known > 0 && format.plural(known, words.known),
      invited > 0 && format.plural(invited, words.invited),
      left.length > 0 && format.plural(left.length, words.left),
    ]
      .filter(Boolean)
      .join(', ');
}
