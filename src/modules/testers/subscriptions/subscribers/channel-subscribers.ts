/** What was done with one of the testers that a request names. `suppressed`: they unsubscribed, so nothing was changed. */
export const SUBSCRIBER_OUTCOMES = ['subscribed', 'unsubscribed', 'unchanged', 'suppressed', 'not_found'] as const;
export type SubscriberOutcome = (typeof SUBSCRIBER_OUTCOMES)[number];

/** Either the whole set of subscribers, or testers to subscribe and to unsubscribe. */
export type SubscribersChange =
  { readonly testerIds: readonly string[] } | { readonly add: readonly string[]; readonly remove: readonly string[] };

export interface ChangedSubscribers {
  readonly subscribed: number;
  readonly unsubscribed: number;
  /** How many testers are subscribed now. */
  readonly subscribers: number;
  /** The outcome of each tester that the request names, in its order. */
  readonly testers: readonly { readonly id: string; readonly outcome: SubscriberOutcome }[];
}
