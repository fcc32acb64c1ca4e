import { type ImportedTesterResponse, type ImportedTestersResponse } from '@agate/client';
import { useFormat } from '../../../words/use-format';
import { useWords } from '../../../words/words-provider';

/** The numbers of people of an addition who were sent an invitation, and of those who could not be. */
export interface Invitations {
  readonly invited: number;
  readonly notInvited: number;
}

export const NO_INVITATIONS: Invitations = { invited: 0, notInvited: 0 };

/** The outcome of adding people. */
export interface Outcome extends Invitations {
  readonly added: number;
  /** The project had them before. */
  readonly known: number;
  /** Addresses of people who were not subscribed, because they left the project or a chosen channel earlier. */
  readonly left: readonly string[];
}

/** The outcome of adding people, some of whom left one of the chosen channels earlier. */
export function outcomeOf(
  { created, existing, testers }: ImportedTestersResponse,
  leftChannel: ReadonlySet<string>,
  invitations: Invitations,
): Outcome {
  const hasLeft = ({ id, outcome }: ImportedTesterResponse): boolean =>
    outcome === 'suppressed' || (id !== null && leftChannel.has(id));
  const left = new Set(testers.filter(hasLeft).map(({ email }) => email));
  return { added: created, known: existing, ...invitations, left: [...left] };
}

/** The ids of the testers who were added or known, each once. */
export const idsOf = ({ testers }: ImportedTestersResponse): string[] => [
  ...new Set(testers.filter(({ outcome }) => outcome !== 'suppressed').flatMap(({ id }) => id ?? [])),
];

/** Returns a function that describes an outcome in words: "11 added, 1 known". */
export function useOutcomeText(): (outcome: Outcome) => string {
  const words = useWords().testers.result;
  const format = useFormat();
  return ({ added, known, invited, notInvited, left }) =>
    [
      format.plural(added, words.added),
      known > 0 && format.plural(known, words.known),
      invited > 0 && format.plural(invited, words.invited),
      notInvited > 0 && format.plural(notInvited, words.notInvited),
      left.length > 0 && format.plural(left.length, words.left),
    ]
      .filter(Boolean)
      .join(', ');
}
