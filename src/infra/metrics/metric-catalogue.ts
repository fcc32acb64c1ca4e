/** A metric of the service. Node's and the process's metrics are exported beside these. */
export interface MetricEntry {
  readonly kind: 'counter' | 'gauge' | 'histogram';
  /** One sentence, shown by Prometheus and in the documentation. */
  readonly help: string;
  readonly labels: readonly string[];
}

const entry =
  <const Kind extends MetricEntry['kind']>(kind: Kind) =>
  <const Labels extends readonly string[]>(help: string, ...labels: Labels) => ({ kind, help, labels });

const counter = entry('counter');
const gauge = entry('gauge');
const histogram = entry('histogram');

/**
 * Every metric, keyed by name. Labels have few values, which the service defines: route patterns, tasks, error codes. They contain
 * neither input of clients nor ids, names, addresses or tokens.
 */
export const METRICS = {
  agate_http_requests_total: counter('Completed requests.', 'method', 'route', 'status'),
  agate_http_request_duration_seconds: histogram(
    'Duration of requests, including sending the response.',
    'method',
    'route',
    'status',
  ),
  agate_event_streams: gauge('Open streams of `GET /events` in this process.'),
  agate_rate_limited_total: counter('Requests rejected with 429, by rate class.', 'class'),
  agate_logins_failed_total: counter(
    'Rejected logins, by reason: `credentials`, `suspended`, `captcha_required`, or the fault of the second factor.',
    'reason',
  ),

  agate_uploads_started_total: counter('Started uploads.'),
  agate_uploads_finished_total: counter('Uploads that became a build.'),
  agate_uploads_failed_total: counter('Uploads that failed, by error code, `dropped` or `expired`.', 'reason'),
  agate_uploaded_bytes_total: counter('Bytes of the uploads that became a build.'),
  agate_uploads_in_flight: gauge('Uploads that this process is receiving.'),
  agate_upload_buffer_bytes: gauge('Memory that uploads to S3 and Azure hold, of at most `UPLOAD_BUFFER_BYTES`.'),
  agate_downloads_total: counter('Downloads, as a stream or as a redirect to the store.', 'delivery'),
  agate_downloaded_bytes_total: counter(
    'Bytes of downloads, sent by this service or by the store after a redirect.',
    'delivery',
  ),
  agate_damaged_downloads_total: counter(
    'Downloads that were cut off because the store sent other bytes than were uploaded.',
    'owner',
  ),
  agate_unreadable_secrets_total: counter(
    'Times that a list left out a secret that cannot be opened, because its row is damaged or its key is missing from MASTER_KEYS.',
    'table',
  ),
  agate_store_errors_total: counter(
    'Failed requests to a store: the hosted store, or a store of a customer.',
    'owner',
    'provider',
    'kind',
  ),

  agate_circuits_open: gauge(
    'Servers that do not respond and get no jobs of this process for now: `mail`, `hosted` and `customer` stores.',
    'dependency',
  ),
  agate_jobs_waiting: gauge('Jobs that wait in the queue, including later ones and retries.', 'task'),
  agate_jobs_running: gauge('Jobs that a worker is running.', 'task'),
  agate_jobs_dead: gauge('Jobs without attempts left. An operator must look at them.', 'task'),
  agate_job_oldest_due_seconds: gauge('Waiting time of the job that has been due longest.', 'task'),
  agate_webhook_attempts_total: counter(
    'Requests to the endpoints of webhooks, by outcome: `sent`; `endpoint`, it failed; `event`, it rejected the message; `gone`.',
    'outcome',
  ),
  agate_webhook_attempt_duration_seconds: histogram('Duration of requests to the endpoints of webhooks.'),
  agate_webhooks_turned_off_total: counter(
    'Webhooks that were turned off: `failing` for five days, `gone`, `creator_lost_access`.',
    'reason',
  ),
  agate_mails_sent_total: counter('Mails that the mail server accepted.'),
  agate_mails_failed_total: counter('Failed attempts to send a mail, without refusals of invalid addresses.'),
  agate_mails_refused_total: counter(
    'Mails that the mail server refused for good: `address`, the address is invalid; `mail`, this mail only.',
    'reason',
  ),

  agate_reservations_active: gauge('Open reservations of uploads and downloads.'),
  agate_reservations_micro_usd: gauge('Sum of the open reservations, in micro-dollars.'),

  agate_open_upload_bytes: gauge('Bytes of the parts of open uploads in the hosted store.'),
  agate_store_free_bytes: gauge('Free bytes of the file system of the local store.'),
  agate_store_min_free_bytes: gauge('Bytes that the local store keeps free: STORAGE_MIN_FREE_BYTES.'),

  agate_database_connections: gauge(
    "Connections in this process's pool: total, idle, and the most that it may have (max); and requests that wait for one (waiting).",
    'state',
  ),
  agate_clock_skew_seconds: gauge("How far the database's clock is ahead of this process's clock."),
  agate_clock_held: gauge(
    '1 while the clock is more than two days ahead of the last sweep: nothing is closed, charged or pruned.',
  ),
  agate_metrics_errors_total: counter(
    'Failed or late readings of gauges. The gauges of that source are absent.',
    'source',
  ),
} as const satisfies Readonly<Record<`agate_${string}`, MetricEntry>>;

export type MetricName = keyof typeof METRICS;

type NameOf<Kind extends MetricEntry['kind']> = {
  [Name in MetricName]: (typeof METRICS)[Name]['kind'] extends Kind ? Name : never;
}[MetricName];

export type CounterName = NameOf<'counter'>;
export type GaugeName = NameOf<'gauge'>;
export type HistogramName = NameOf<'histogram'>;
export type LabelsOf<Name extends MetricName> = Readonly<Record<(typeof METRICS)[Name]['labels'][number], string>>;

/** Seconds: up to 10 for requests that people wait for, above for transfers. */
export const DURATION_BUCKETS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60, 600];
