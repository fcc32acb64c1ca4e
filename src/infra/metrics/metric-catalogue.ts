/** What is measured of the service itself; Node's and the process's own metrics come beside it. */
export interface MetricEntry {
  readonly kind: 'counter' | 'gauge' | 'histogram';
  /** One sentence: shown to Prometheus and in the documentation. */
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
 * Every metric, by its name. Labels take few values, all of the service's making: route patterns, tasks, codes of errors. Never
 * what a client sent, and never whose it is: no ids, names, addresses or tokens.
 */
export const METRICS = {
  agate_http_requests_total: counter('Requests that are over.', 'method', 'route', 'status'),
  agate_http_request_duration_seconds: histogram(
    'How long requests took, with the sending of their answers.',
    'method',
    'route',
    'status',
  ),
  agate_rate_limited_total: counter('Requests refused with 429, by the limit they ran into.', 'class'),
  agate_logins_failed_total: counter(
    'Logins refused: `credentials`, or what was wrong with the second factor.',
    'reason',
  ),

  agate_uploads_started_total: counter('Uploads admitted.'),
  agate_uploads_finished_total: counter('Uploads that became a build.'),
  agate_uploads_failed_total: counter('Uploads given up, by the code of the error, or dropped, expired.', 'reason'),
  agate_uploaded_bytes_total: counter('Bytes of the uploads that became a build.'),
  agate_uploads_in_flight: gauge('Uploads that this process is receiving.'),
  agate_downloads_total: counter('Downloads answered with bytes or a redirect to the store.', 'delivery'),
  agate_downloaded_bytes_total: counter(
    'Bytes of downloads: sent by this service, or left to the store to send.',
    'delivery',
  ),
  agate_store_errors_total: counter(
    'Failures of a store: the hosted one, or those of customers.',
    'owner',
    'provider',
    'kind',
  ),

  agate_jobs_waiting: gauge('Jobs in the queue, those for later and those to be tried again among them.', 'task'),
  agate_jobs_running: gauge('Jobs that some worker is doing.', 'task'),
  agate_jobs_dead: gauge('Jobs out of attempts: a person must look.', 'task'),
  agate_job_oldest_due_seconds: gauge('How long the job that is due longest has waited.', 'task'),
  agate_mails_sent_total: counter('Mails that the mail server accepted.'),
  agate_mails_failed_total: counter('Attempts to send a mail that failed.'),

  agate_reservations_active: gauge('Reservations of uploads and downloads on their way.'),
  agate_reservations_micro_usd: gauge('What they hold, in micro-dollars.'),

  agate_database_connections: gauge("Connections of this process's pool: total, idle, and requests waiting.", 'state'),
  agate_metrics_errors_total: counter(
    'Sources of gauges that failed or took too long; their gauges are absent.',
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

/** Seconds. Up to ten for what people wait for, beyond for transfers. */
export const DURATION_BUCKETS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60, 600];
