import { type Language } from '#kernel/text/language';

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
  readonly createdAt: Date;
}
