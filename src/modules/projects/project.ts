import { type Language } from '#kernel/text/language';

/** Makes a channel for each branch whose name matches. */
export interface BranchChannels {
  /** As for `matchesBranch`: `feature/*`. */
  readonly pattern: string;
  /** The name of the channels, with `{slug}` in place of the branch. */
  readonly name: string;
  /** A channel ends when it had no release for so many days. */
  readonly days: number;
}

/** An app that an organization distributes. Testers see its name on install pages and in mails. */
export interface Project {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  /** True: builds with any bundle id are accepted. False: the first build of each platform pins the bundle id. */
  readonly allowAnyBundleId: boolean;
  /** The language of the mails to testers. Pages follow the browser. */
  readonly language: Language;
  /** Whether the managers get a mail before devices stop launching builds. */
  readonly signingExpiryMails: boolean;
  /** Null: uploads make no channels. */
  readonly branchChannels: BranchChannels | null;
  readonly createdAt: Date;
}
