import { type MetricEntry, METRICS } from '#infra/metrics/metric-catalogue';
import { code, codes, page, table } from './markdown';

const INTRO = `Metrics of the service at \`GET /metrics\`, in addition to the Node.js metrics of prom-client (\`process_…\`, \`nodejs_…\`, for example
the event loop lag). For scraping and alerts see [Watching it](../operations.md#watching-it).`;

export const metricsPage = (): string =>
  page(
    'Metrics',
    INTRO,
    table(
      ['metric', 'kind', 'labels', 'meaning'],
      Object.entries<MetricEntry>(METRICS).map(([name, { kind, labels, help }]) => [
        code(name),
        kind,
        codes(labels),
        help,
      ]),
    ),
  );
