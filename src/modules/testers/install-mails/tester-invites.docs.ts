import { type ControllerDocs } from '#infra/http/describe';

export const TESTER_INVITES_DOCS = {
  invite: {
    description:
      'Use it to send a tester their own link: to a channel (`channel_id`), to a build (`build_id`), or without both to every build that they may install. A request that names both fails with `400 invalid_input`, reason `two_targets`. The mail is sent in the background. It also has a link that unsubscribes. The tester is not subscribed until they press the button on the page or you subscribe them. Inviting a tester who left fails with `400 operation_not_allowed`. A tester is sent at most ten invitations per hour, then the response is `429`. Inviting a tester who opened none of three mails fails with `400 operation_not_allowed`, reason `unopened`. Above the daily limit of the organization, the mail is sent on the next day with room.',
    retry:
      'Send an `Idempotency-Key`, and repeat the request with the same key after a timeout, a `429` or a `503`. Without a key a repetition sends another mail.',
  },
} satisfies ControllerDocs;
