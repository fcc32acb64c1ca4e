import { type PluralForms } from './format';

/** The words for the payload of an audit event, in the language of the page. Absent values are ''. */
export interface EventFacts {
  /** A text of the payload. */
  readonly text: (field: string) => string;
  readonly number: (field: string) => string;
  readonly count: (field: string, forms: PluralForms) => string;
  readonly money: (field: string) => string;
  readonly bytes: (field: string) => string;
  readonly date: (field: string) => string;
  /** A month such as `2026-11`. */
  readonly month: (field: string) => string;
  readonly list: (field: string) => string;
  /** The name of a plan. */
  readonly plan: (field: string) => string;
  readonly isTrue: (field: string) => boolean;
  /** Names of roles: one, or a list. */
  readonly roles: (field: string) => string;
  readonly platforms: (field: string) => string;
  /** The address of the developer that the payload names. */
  readonly person: string;
  /** The version of the build that the payload names. */
  readonly build: string;
  /** The name of the channel that the payload names. */
  readonly channel: string;
  /** The name of the tester, token or invited person that the payload names. */
  readonly subject: string;
  readonly actorId: string | null;
}

/** The name of an event type, alone or with the sentence about an event. */
export type EventWords = string | readonly [label: string, sentence: (facts: EventFacts) => string];
