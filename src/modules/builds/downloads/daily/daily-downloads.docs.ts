import { type ControllerDocs } from '#infra/http/describe';

export const DAILY_DOWNLOADS_DOCS = {
  count:
    'Use it to draw the downloads of a project, a build or a channel as a chart. Every day of the range is in the response, in order, also without downloads. A range has at most 366 days; by default it is the last 30. Days are in UTC. It counts entries of the download log, which are deleted with their build and after `DOWNLOAD_LOG_DAYS`.',
} satisfies ControllerDocs;
