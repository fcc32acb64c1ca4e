import { type DeviceFamily } from '#kernel/builds/device';
import { type Platform } from '#kernel/builds/platform';
import { type ProjectScope } from '#kernel/context/scope';

/** A person who installs builds of a project without a login, identified by an e-mail address. */
export interface Tester extends ProjectScope {
  readonly id: string;
  /** The address as it was typed, for sending mail. */
  readonly email: string;
  readonly name: string | null;
  /** The platforms for which the tester chose to get release mails. Empty: all. */
  readonly mailPlatforms: readonly Platform[];
  /** Set while the mail server says that no mail can reach the address. */
  readonly bouncedAt: Date | null;
  /** The status that the mail server gave, such as `5.1.1`. Null while `bouncedAt` is. */
  readonly bounceCode: string | null;
  readonly createdAt: Date;
}

export interface TesterDraft {
  readonly email: string;
  readonly name: string | null;
}

/** The outcome of one line of an import. */
export interface ImportedTester {
  /** `null` when the address is suppressed and the project has no tester with it. */
  readonly testerId: string | null;
  readonly email: string;
  readonly outcome: ImportOutcome;
}

/** `suppressed`: the address unsubscribed from the project or from the channel of the import, so nothing was changed. */
export const IMPORT_OUTCOMES = ['created', 'existing', 'suppressed'] as const;
export type ImportOutcome = (typeof IMPORT_OUTCOMES)[number];

export const SUBSCRIPTION_STATES = ['subscribed', 'suppressed'] as const;
export type SubscriptionState = (typeof SUBSCRIPTION_STATES)[number];

export interface TesterSubscriptions {
  /** Whether the tester chose to stop testing the project. */
  readonly declined: boolean;
  /** Channel ids. */
  readonly subscribedTo: readonly string[];
  /** Ids of the channels that the tester unsubscribed from through a link. */
  readonly unsubscribedFrom: readonly string[];
}

export interface TesterWithSubscriptions extends Tester {
  readonly subscriptions: TesterSubscriptions;
}

/** The recipient of a mail. */
export type Recipient = Pick<Tester, 'id' | 'email' | 'name'>;

/** The recipient of a mail about releases. */
export interface ReleaseRecipient extends Recipient {
  /** The platforms that the tester chose. Empty: all. */
  readonly mailPlatforms: readonly Platform[];
  /** When the tester may get the next mail about the channel, null for now. */
  readonly dueAt: Date | null;
}

/** A tester who never opened one of their links gets at most this many mails, because they may not have asked for any. */
export const UNOPENED_MAILS = 3;

export const hasEnoughUnopened = (tester: { readonly isUnopened: boolean; readonly unopenedMails: number }): boolean =>
  tester.isUnopened && tester.unopenedMails >= UNOPENED_MAILS;

/** The state of a tester (docs/api-behaviour.md#state-of-a-tester). */
export const TESTER_STATES = ['added', 'invited', 'opened', 'has_current', 'behind', 'left', 'bounced'] as const;
export type TesterState = (typeof TESTER_STATES)[number];

export interface LastDownload {
  readonly buildId: string;
  readonly version: string;
  readonly buildNumber: string | null;
  readonly platform: Platform;
  readonly deviceFamily: DeviceFamily;
  readonly at: Date;
}

export interface TesterActivity {
  readonly state: TesterState;
  /** When the last mail with an install link was queued, null before. */
  readonly invitedAt: Date | null;
  /** When the tester first opened one of their links, null before. */
  readonly openedAt: Date | null;
  /** The newest entry of the download log, null when there is none. */
  readonly lastDownload: LastDownload | null;
}

export interface TesterWithActivity extends TesterWithSubscriptions {
  /** Null when the caller may not see the activity of testers. */
  readonly activity: TesterActivity | null;
}
