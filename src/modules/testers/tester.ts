import { type Platform } from '#kernel/builds/platform';
import { type ProjectScope } from '#kernel/context/scope';

/** Somebody who installs builds of a project, without a login. Their address is the only name the service knows them by. */
export interface Tester extends ProjectScope {
  readonly id: string;
  /** As it was typed: what mail is sent to. */
  readonly email: string;
  readonly name: string | null;
  /** Of the builds they have downloaded; empty while nothing is known. */
  readonly platforms: readonly Platform[];
  readonly createdAt: Date;
}

export interface TesterDraft {
  readonly email: string;
  readonly name: string | null;
}

/** What became of one line of many. */
export interface ImportedTester {
  /** Null when there is no tester: they left, and nobody was added. */
  readonly testerId: string | null;
  readonly email: string;
  readonly outcome: ImportOutcome;
}

/** `suppressed`: they left the project, or the channel asked for, by themself; nothing was changed for them. */
export const IMPORT_OUTCOMES = ['created', 'existing', 'suppressed'] as const;
export type ImportOutcome = (typeof IMPORT_OUTCOMES)[number];

export const SUBSCRIPTION_STATES = ['subscribed', 'suppressed'] as const;
export type SubscriptionState = (typeof SUBSCRIPTION_STATES)[number];

/** What a tester takes part in. */
export interface Involvement {
  /** Left the testing of the project altogether. */
  readonly declined: boolean;
  readonly subscribedTo: readonly string[];
  /** Channels that they left by themself. */
  readonly unsubscribedFrom: readonly string[];
}

export interface InvolvedTester extends Tester {
  readonly involvement: Involvement;
}

/** Who a mail goes to. */
export type Recipient = Pick<Tester, 'id' | 'email' | 'name'>;
