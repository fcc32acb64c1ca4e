import { readFileSync } from 'node:fs';
import path from 'node:path';
import { load } from 'js-yaml';
import { type MetricEntry, METRICS } from '#infra/metrics/metric-catalogue';
import { Metrics } from '#infra/metrics/metrics';

const root = path.resolve(__dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

interface Dashboard {
  readonly schemaVersion: number;
  readonly uid: string;
  readonly templating: { readonly list: readonly { name: string; type: string }[] };
  readonly panels: readonly {
    readonly id: number;
    readonly type: string;
    readonly title: string;
    readonly datasource?: { readonly uid: string };
    readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
    readonly targets?: readonly { readonly expr: string; readonly datasource: { readonly uid: string } }[];
  }[];
}
interface AlertRules {
  readonly groups: readonly { readonly rules: readonly { readonly alert: string; readonly expr: string }[] }[];
}

const dashboard = JSON.parse(read('docker/grafana/agate.json')) as Dashboard;
const rules = (load(read('docker/prometheus/agate-alerts.yml')) as AlertRules).groups.flatMap(({ rules: all }) => all);
const dashboardQueries = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
const alertQueries = rules.map(({ expr }) => expr);

/** Names of the metrics in PromQL expressions. The series of a histogram count as one metric. */
const namesIn = (expressions: readonly string[]): string[] =>
  [...new Set(expressions.flatMap((expr) => expr.match(/\b(agate|nodejs|process)_\w+/g) ?? []))].map((name) =>
    name.replace(/(?<=_seconds)_(bucket|count|sum)$/, ''),
  );

/** Names of the metrics in a scrape. */
async function exported(): Promise<string[]> {
  const metrics = new Metrics({ now: () => new Date(0) });
  metrics.watchProcess();
  return [...(await metrics.scrape()).matchAll(/^# TYPE (\w+) /gm)].map(([, name = '']) => name);
}

describe('the dashboard and the alerts', () => {
  // red when: a metric is renamed only in the catalogue, in a panel or in an alert
  it('use only metrics that the service exports', async () => {
    const names = await exported();
    expect(namesIn([...dashboardQueries, ...alertQueries]).filter((name) => !names.includes(name))).toEqual([]);
  });

  // red when: a metric is added only to the catalogue
  it('cover every metric of the service', () => {
    const seen = namesIn(dashboardQueries);
    expect(Object.keys(METRICS).filter((name) => !seen.includes(name))).toEqual([]);
  });

  // red when: an expression groups by a label that its metrics lack
  it('use only labels that the metrics have', () => {
    const standardLabels = ['job', 'instance', 'le'];
    const entries: Readonly<Record<string, MetricEntry>> = METRICS;
    for (const expr of [...dashboardQueries, ...alertQueries]) {
      const has = namesIn([expr]).flatMap((name) => entries[name]?.labels ?? []);
      const grouped = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/,\s*/));
      const selected = [...expr.matchAll(/[{,]\s*(\w+)\s*(?:=~|!~|!=|=)\s*"/g)].map(([, label = '']) => label);
      const unknown = [...grouped, ...selected].filter((label) => ![...has, ...standardLabels].includes(label));
      expect([expr, unknown]).toEqual([expr, []]);
    }
  });
});

describe('the dashboard', () => {
  it('uses the selected data source in every query, so that it can be imported anywhere', () => {
    expect(dashboard.schemaVersion).toBeGreaterThanOrEqual(36);
    expect(dashboard.templating.list).toContainEqual(
      expect.objectContaining({ name: 'datasource', type: 'datasource', query: 'prometheus' }),
    );
    const sources = dashboard.panels.flatMap(({ datasource, targets = [] }) => [
      ...(datasource ? [datasource.uid] : []),
      ...targets.map((target) => target.datasource.uid),
    ]);
    expect(new Set(sources)).toEqual(new Set(['${datasource}']));
  });

  it('has panels with unique ids and without overlaps', () => {
    const { panels } = dashboard;
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, index) => `${x + (index % w)},${y + Math.floor(index / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(panels.every(({ gridPos: { x, w } }) => x + w <= 24)).toBe(true);
  });
});

it('the example scrape configuration loads the alerts and scrapes the ports of the compose file', () => {
  const config = load(read('docker/prometheus/prometheus.yml')) as {
    rule_files: string[];
    scrape_configs: { static_configs: { targets: string[] }[] }[];
  };
  expect(config.rule_files).toEqual(['agate-alerts.yml']);
  const port = /^ {2}METRICS_PORT: '?(\d+)'?$/m.exec(read('docker/compose.yaml'))?.[1];
  const targets = config.scrape_configs.flatMap(({ static_configs }) =>
    static_configs.flatMap((config) => config.targets),
  );
  expect(targets).toEqual(['api-1', 'api-2', 'worker'].map((name) => `${name}:${port}`));
});
