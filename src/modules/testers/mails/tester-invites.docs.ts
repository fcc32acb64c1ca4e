import { type ControllerDocs } from '#infra/http/describe';

export const TESTER_INVITES_DOCS = {
  invite: {
    description:
      'Mails a tester their own link: to a channel (`channel_id`), to a build (`build_id`), or without both to every build that they may install. A request with both fails with `400 invalid_input`, reason `two_targets`. The mail is sent in the background, and has a second link that unsubscribes. The mail subscribes no one: the tester presses the button on the page, or you subscribe them. A tester who left cannot be invited: `400 operation_not_allowed`. Nor can a tester who got three mails and opened none of them: the same error, reason `unopened`. More than ten invitations of a tester in an hour fail with `429`. Above the daily limit of the organization, the mail is sent on the next day that has room.',
    retry:
      'Send an `Idempotency-Key`, and repeat the request with the same key after a timeout, a `429` or a `503`. Without a key a repetition sends another mail.',
  },
} satisfies ControllerDocs;
