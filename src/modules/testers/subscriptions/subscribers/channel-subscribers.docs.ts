import { type ControllerDocs } from '#infra/http/describe';

export const CHANNEL_SUBSCRIBERS_DOCS = {
  change: {
    description:
      'Use it to change the subscriptions of many testers in one step. Send either `tester_ids`, the whole set of subscribers, or `add` and `remove`. No mail is sent. Testers who unsubscribed through a link stay unsubscribed: their `outcome` is `suppressed`. Testers whom you remove can be subscribed again. Unknown ids are `not_found` and do not stop the others.',
    retry: 'It can be repeated at any time: the second request finds nothing to change.',
  },
} satisfies ControllerDocs;
