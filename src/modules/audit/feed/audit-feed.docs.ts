import { type ControllerDocs } from '#infra/http/describe';

export const AUDIT_FEED_DOCS = {
  day: {
    description:
      'Use it to find out who changed what. It returns one day (UTC), newest event first, and by `previous_day` and `next_day` the nearest days that have matching events: request those to walk through the feed. With `from` or `to` it returns a range instead of a day, and with `limit` the events page by page. Filters combine: an event must match all of them. Events are kept for 30 days on the plan `team` and for 365 days on `business`. They contain no secrets and no e-mail addresses; the address of a developer is looked up when the feed is read, and is `erased` after their account was deleted.',
    retry:
      'It changes nothing, so it can be repeated at any time. The response is streamed: if the JSON is incomplete, reading failed in the middle, and the request must be repeated.',
  },
  export: {
    description:
      'Use it to keep a day or a range, or to read it in a spreadsheet. It is a CSV file (RFC 4180, UTF-8) with a header and one line per event, newest first; `payload` is JSON. Values that a spreadsheet would read as a formula begin with an apostrophe. Day, range and filters are the same as of the feed.',
    retry:
      'It changes nothing, so it can be repeated at any time. The response is streamed: if the connection is cut, the file is incomplete, and the request must be repeated.',
  },
  facets:
    'Use it to offer the values of filters: the types and actors that occur, and the days that have events. The range is at most 31 days; by default the last 31.',
} satisfies ControllerDocs;
