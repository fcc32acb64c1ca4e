import { METRICS, type MetricEntry } from '#infra/metrics/metric-catalogue';
import { code, codes, page, table } from './markdown';

const INTRO = `What \`GET /metrics\` tells of the service, beside what prom-client tells of every Node.js process (\`process_…\`, \`nodejs_…\`,
the event loop's lag among them). Where to scrape, and what to alarm on: [Watching it](../operations.md#watching-it).`;

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
