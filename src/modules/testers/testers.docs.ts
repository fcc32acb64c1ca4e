import { type ControllerDocs } from '#infra/http/describe';

export const TESTERS_DOCS = {
  list: 'Use it to show the testers of a project and which build each of them has, to find the id of one by e-mail address, or to list the subscribers of a channel. What testers did (`state`, `invited_at`, `opened_at`, `bounced_at`, `bounce_code`, `last_download`) needs `MANAGE_TESTERS`: for other callers these fields are `null`, and the filters by them `403 insufficient_role`. With `adoption` or `has_not` a page may have fewer testers than `limit`, or none, and still a `next_cursor`: a request searches 10,000 testers, with `adoption` 2,500.',
  create:
    'Use it to add one person. No mail is sent: subscribe them to a channel, or invite them. If the project already has the address, the response is `409 already_exists`. If the person unsubscribed from the project before, it is `400 operation_not_allowed`: only they can come back, through a link that was mailed to them. To add many, use `POST /testers/batch` or `POST /testers/import`.',
  get: 'Use it to show one tester and the channels that they are subscribed to.',
  update:
    'Use it to correct the name. The e-mail address of a tester cannot be changed: add a tester with the new address, and erase this one.',
  erase:
    'Use it when a person requests the erasure of their data, or leaves the test. Address, name, subscriptions and links are deleted immediately. The download log and the audit feed keep the id, but no personal data. If they had unsubscribed, a hash of the address is kept, so that they are not mailed again.',
  listDownloads:
    'Use it to see which builds one tester downloaded: when, on which kind of device, and whether all bytes arrived. Downloads through the links of builds and channels are anonymous and not listed. Entries are deleted with their build and after `DOWNLOAD_LOG_DAYS`.',
} satisfies ControllerDocs;

const OUTCOMES =
  'Addresses that the project already has, and those of people who unsubscribed, are not errors: `outcome` gives the result of each. With `channel_id` all testers are also subscribed to the channel, except those who unsubscribed from it. No mail is sent. With `dry_run=true` nothing is changed, and errors and counts are what they would be without it.';
const ALL_OR_NOTHING = 'It is applied as a whole or not at all: if one entry is invalid, no tester is added.';

export const TESTER_FILES_DOCS = {
  batch: `Use it to add up to 1,000 testers from a program. ${ALL_OR_NOTHING} ${OUTCOMES}`,
  import: `Use it to add the testers of a spreadsheet: a CSV file in UTF-8 with a header line, the column \`email\` and optionally \`name\`, at most 10,000 lines and 4 MiB. ${ALL_OR_NOTHING} \`details.fields\` lists the invalid lines by number. ${OUTCOMES}`,
  export:
    'Use it to take the list of testers to another program, to see in a spreadsheet who has which build, or to answer a request for personal data. The filters are those of `GET /testers`. With `release_id` or `build_id` there are two more columns: `adoption`, empty for testers who are not in the audience, and `mailed_at`. `has_current` is empty when the channels of the tester have no build for them. The file can be imported again. It is streamed: if the connection breaks, it is incomplete, and must be requested again.',
} satisfies ControllerDocs;

export const BULK_TESTERS_DOCS = {
  run: {
    description:
      'Use it to do the same for up to 100 testers: `subscribe` to or `unsubscribe` from `channel_id`, `invite` to `channel_id`, to `build_id` or to every build, or `erase`. Each of them is treated as by the route for one tester, with its rules, limits and audit event. What is not possible for a tester is `skipped` and does not stop the others.',
    retry:
      'Send an `Idempotency-Key`, and repeat the request with the same key after a timeout, a `429` or a `503`. Without a key a repetition of `invite` sends further mails; the other actions can be repeated.',
  },
} satisfies ControllerDocs;

export const TESTER_INVITES_DOCS = {
  invite: {
    description:
      'Mails a tester their own link: to a channel (`channel_id`) or to a build (`build_id`). Without these, the link leads to every build that they may install. A request with both fails with `400 invalid_input`, reason `two_targets`. The mail is sent in the background, and has a second link that unsubscribes. The mail subscribes no one: the tester presses the button on the page, or you subscribe them. A tester who left cannot be invited: `400 operation_not_allowed`. A tester who got three mails and opened none of them cannot be invited either: `400 operation_not_allowed`, reason `unopened`. A tester in the state `bounced` is tried again. More than ten invitations of a tester in an hour fail with `429`. Above the daily limit of the organization, the mail is sent on the next day that has room.',
    retry:
      'Send an `Idempotency-Key`, and repeat the request with the same key after a timeout, a `429` or a `503`. Without a key a repetition sends another mail.',
  },
} satisfies ControllerDocs;

export const SUBSCRIPTIONS_DOCS = {
  put: {
    description:
      'Use it so that a tester is mailed at each promotion to the channel. No mail is sent now. If they unsubscribed from the channel or the project, nothing changes and the `state` is `suppressed`: only they can resubscribe.',
    retry: 'It can be repeated at any time: a tester who is subscribed stays subscribed.',
  },
  remove:
    'Use it to stop the mails of a channel to a tester. They can still install through links that they have, and you can subscribe them again. It is `404 not_found` if they are not subscribed.',
} satisfies ControllerDocs;

export const CHANNEL_SUBSCRIBERS_DOCS = {
  change: {
    description:
      'Use it to change the subscriptions of many testers in one step. Send either `tester_ids`, the whole set of subscribers, or `add` and `remove`. No mail is sent. Testers who unsubscribed through a link stay unsubscribed: their `outcome` is `suppressed`. Testers whom you remove can be subscribed again. Unknown ids are `not_found` and do not stop the others.',
    retry: 'It can be repeated at any time: the second request finds nothing to change.',
  },
} satisfies ControllerDocs;
