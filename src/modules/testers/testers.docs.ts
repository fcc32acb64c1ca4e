import { type ControllerDocs } from '#infra/http/describe';

export const TESTERS_DOCS = {
  list: 'Use it to show the testers of a project and which build each of them has, to find the id of one by e-mail address, or to list the subscribers of a channel. What testers did (`state`, `invited_at`, `opened_at`, `last_download`) needs `MANAGE_TESTERS`: for other callers these fields are `null`, and the filters by them `403 insufficient_role`.',
  create:
    'Use it to add one person. No mail is sent: subscribe them to a channel, or invite them. If the project already has the address, the response is `409 already_exists`. If the person unsubscribed from the project before, it is `400 operation_not_allowed`: only they can come back, through a link that was mailed to them. To add many, use `POST /testers/batch` or `POST /testers/import`.',
  get: 'Use it to show one tester and the channels that they are subscribed to.',
  update:
    'Use it to correct the name. The e-mail address of a tester cannot be changed: add a tester with the new address, and erase this one.',
  erase:
    'Use it when a person requests the erasure of their data, or leaves the test. Address, name, subscriptions and links are deleted at once. The download log and the audit feed keep the id, but no personal data. If they had unsubscribed, a hash of the address is kept, so that they are not mailed again.',
  listDownloads:
    'Use it to see which builds one tester downloaded: when, on which kind of device, and whether all bytes arrived. Downloads through the links of builds and channels are anonymous and not listed. Entries are deleted with their build and after `DOWNLOAD_LOG_DAYS`.',
} satisfies ControllerDocs;
