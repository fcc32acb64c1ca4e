import { type ControllerDocs } from '#infra/http/describe';

export const AUDIT_FEED_DOCS = {
  day: {
    description:
      'Use it to find out who changed what. It returns one day (UTC), newest event first, and by `previous_day` and `next_day` the nearest days that have matching events: request those to walk through the feed. Filters combine: an event must match all of them. Events are kept for 30 days on the plan `team` and for 365 days on `business`. They contain no secrets and no e-mail addresses; the address of a developer is looked up when the feed is read, and is `erased` after their account was deleted.',
    retry:
      'It changes nothing, so it can be repeated at any time. The response is streamed: if the JSON is incomplete, reading failed in the middle, and the request must be repeated.',
  },
} satisfies ControllerDocs;
