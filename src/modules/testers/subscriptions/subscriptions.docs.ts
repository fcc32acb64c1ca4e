import { type ControllerDocs } from '#infra/http/describe';

export const SUBSCRIPTIONS_DOCS = {
  put: {
    description:
      'Use it so that a tester is mailed at each promotion to the channel. No mail is sent now. If they unsubscribed from the channel or the project, nothing changes and the `state` is `suppressed`: only they can resubscribe.',
    retry: 'It can be repeated at any time: a tester who is subscribed stays subscribed.',
  },
  remove:
    'Use it to stop the mails of a channel to a tester. They can still install through links that they have, and you can subscribe them again. It is `404 not_found` if they are not subscribed.',
} satisfies ControllerDocs;
