import { AUDIT_EVENT_TYPES } from '#kernel/audit/audit-event';

/** Writes the meaning of each value as a Markdown list. */
const list = (intro: string, values: Readonly<Record<string, string>>): string =>
  [intro, '', ...Object.entries(values).map(([value, meaning]) => `- \`${value}\`: ${meaning}`)].join('\n');

/** Descriptions of the enums that several fields share. Every named enum of the document must be listed. */
export const ENUM_DESCRIPTIONS: Readonly<Record<string, string>> = {
  Plan: list('The plan of an organization.', {
    team: 'prepaid: usage is paid from credit. No channels, releases and own storage.',
    business: 'postpaid: usage is charged to a monthly statement, limited by the spend cap. All features.',
  }),
  Platform: list('The operating system that a build runs on.', {
    ios: '`.ipa`, for iPhone and iPad.',
    android: '`.apk` or `.aab`.',
    macos: 'any file for macOS.',
    windows: 'any file for Windows.',
    linux: 'any file for Linux.',
  }),
  Language: list('A language.', { en: 'English.', de: 'German.' }),
  ProjectRole: list('A role in a project. Each role includes the ones before it.', {
    VIEW_PROJECT: 'sees the project, its builds, channels, releases and testers.',
    DOWNLOAD_BUILD: 'downloads artifacts.',
    UPLOAD_BUILD: 'uploads builds, edits their notes, and manages project access tokens up to its own role.',
    MANAGE_TESTERS: 'adds, mails, exports and erases testers, and reads the download log.',
    MANAGE_RELEASES: 'manages channels, promotes builds and withdraws releases, and deletes builds.',
    MANAGE_PROJECT: 'changes the project and the roles of its members.',
  }),
  AuditEventType: list('The type of an audit event, as `noun.verb_past`.', AUDIT_EVENT_TYPES),
  LedgerKind: list('The reason of a ledger entry.', {
    trial_credit: 'the credit of a new organization.',
    top_up: 'credit that was bought.',
    grant: 'credit that an operator granted, or took back.',
    plan_fee: 'the flat fee of the plan.',
    usage_storage: 'stored bytes over time.',
    usage_upload: 'uploaded bytes.',
    usage_download: 'downloaded bytes.',
  }),
  DeviceFamily: list('The kind of device that downloaded, from its `User-Agent`.', {
    iphone: 'an iPhone or iPod.',
    ipad: 'an iPad, unless its browser pretends to be a Mac.',
    android: 'an Android device.',
    mac: 'a Mac.',
    windows: 'a Windows PC.',
    linux: 'a Linux or ChromeOS device.',
    other: 'a script, or an unknown device.',
  }),
  SubscriptionState: list('The state of a subscription.', {
    subscribed: 'the tester is mailed at each promotion.',
    suppressed: 'the tester unsubscribed. Only they can resubscribe, through their own link.',
  }),
  BuildDeletionOutcome: list('What a deletion did with a build.', {
    deleted: 'it was deleted.',
    current: 'it stays, because it is the current release of a channel.',
    not_found: 'the project has no such build.',
  }),
  SubscriberOutcome: list('What a change of subscribers did with a tester.', {
    subscribed: 'the tester is subscribed now.',
    unsubscribed: 'the tester is no longer subscribed.',
    unchanged: 'the tester was subscribed, or not subscribed, before.',
    suppressed: 'the tester unsubscribed before, so nothing was changed.',
    not_found: 'the project has no such tester.',
  }),
  TesterState: list('How far a tester is.', {
    added: 'not mailed yet.',
    invited: 'mailed an install link, and opened none yet.',
    opened: 'opened a link, and downloaded nothing yet.',
    has_current:
      'their last download is the build that their channels offer, or their channels offer none for its platform.',
    behind: 'another build is current in their channels than the one they downloaded last.',
    left: 'they unsubscribed. Only they can subscribe again.',
  }),
  TesterImportOutcome: list('What an import did with an address.', {
    created: 'the tester was added.',
    existing: 'the project already had a tester with this address.',
    suppressed: 'the tester unsubscribed before, so nothing was changed.',
  }),
  ByosaState: list("The state of an organization's own storage account.", {
    none: 'no account is configured.',
    configured: 'the checks passed. Artifacts are still stored in the hosted store.',
    active: 'an operator directed new artifacts to the account.',
    draining: 'the teardown was requested, or an operator switched back. The account is removed when it is empty.',
  }),
  ByosaCheckName: list('A check of a storage account, in the order in which the checks run.', {
    resolve: 'the host name of the endpoint resolves.',
    public_address: 'the endpoint has a public address.',
    reach: 'the endpoint accepts connections and its certificate is valid.',
    clock_skew: 'the clocks of the store and of the service agree.',
    authenticate: 'the store accepts the credentials.',
    container: 'the bucket or container exists.',
    list: 'the credentials may list objects.',
    write: 'the credentials may write an object.',
    read_back: 'the written object is read back unchanged.',
    range_read: 'a range of the object can be read.',
    signed_url: 'a signed URL downloads the object.',
    delete: 'the credentials may delete the object.',
  }),
  ByosaCheckStatus: list('The result of a check.', {
    passed: 'the check succeeded.',
    failed: '`message` says how to fix it.',
    skipped: 'an earlier check failed.',
  }),
};
