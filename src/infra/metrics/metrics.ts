import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { Clock } from '#kernel/context/clock';
import { type RequestContext, systemContext } from '#kernel/context/request-context';
import { GaugeSource, type Sample } from './gauge-source';
import {
  type CounterName,
  DURATION_BUCKETS,
  type GaugeName,
  type HistogramName,
  type LabelsOf,
  type MetricEntry,
  type MetricName,
  METRICS,
} from './metric-catalogue';

/** A source of gauges that is read during a scrape. */
export interface GaugeReading {
  /** Names the source in `agate_metrics_errors_total`. */
  readonly source: string;
  /** The gauges that `read` fills. They are absent while `read` fails or takes too long. */
  readonly gauges: readonly GaugeName[];
  readonly read: (ctx: RequestContext) => readonly Sample[] | Promise<readonly Sample[]>;
}

type Instrument = Counter | Gauge | Histogram;

/** The registry of metrics. Names and labels are in `metric-catalogue.ts`. */
@Injectable()
export class Metrics {
  private readonly registry = new Registry();
  private readonly instruments: ReadonlyMap<MetricName, Instrument>;
  private readonly sources: GaugeSource[] = [];
  private watchesProcess = false;

  constructor(private readonly clock: Clock) {
    const entries = Object.entries(METRICS) as [MetricName, MetricEntry][];
    this.instruments = new Map(entries.map(([name, entry]) => [name, this.instrumentOf(name, entry)]));
  }

  /** Increments a counter. */
  count<Name extends CounterName>(name: Name, labels: LabelsOf<Name>, by = 1): void {
    (this.instruments.get(name) as Counter).inc(labels, by);
  }

  observe<Name extends HistogramName>(name: Name, labels: LabelsOf<Name>, value: number): void {
    (this.instruments.get(name) as Histogram).observe(labels, value);
  }

  /** Changes a gauge that this process keeps in memory. */
  change<Name extends GaugeName>(name: Name, labels: LabelsOf<Name>, by: 1 | -1): void {
    this.gauge(name).inc(labels, by);
  }

  /** Adds a source of gauges. It is read during a scrape, at most once every few seconds. Call it once per source. */
  watch({ source, gauges, read }: GaugeReading): void {
    const context = systemContext('metrics', this.clock, `metrics-${source}`);
    const onFailure = (): void => this.count('agate_metrics_errors_total', { source });
    this.sources.push(new GaugeSource(gauges, async () => read(context), onFailure, this.clock));
  }

  /** Starts measuring the process: memory, garbage collection, event loop. Called only where the metrics are served. */
  watchProcess(): void {
    if (this.watchesProcess) return;
    this.watchesProcess = true;
    collectDefaultMetrics({ register: this.registry });
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  /** All metrics in Prometheus's text format. A failing source does not fail the scrape. */
  async scrape(): Promise<string> {
    await Promise.all(this.sources.map(async (source) => this.fill(source.gauges, await source.samples())));
    return this.registry.metrics();
  }

  /** Replaces the previous samples, so that values which are gone or unknown are absent. */
  private fill(gauges: readonly GaugeName[], samples: readonly Sample[] | null): void {
    for (const name of gauges) {
      this.gauge(name).reset();
      // Without labels, a reset leaves a zero.
      if (METRICS[name].labels.length === 0) this.gauge(name).remove();
    }
    for (const { gauge, labels, value } of samples ?? []) this.gauge(gauge).set(labels, value);
  }

  private gauge(name: GaugeName): Gauge {
    return this.instruments.get(name) as Gauge;
  }

  private instrumentOf(name: MetricName, { kind, help, labels }: MetricEntry): Instrument {
    const options = { name, help, labelNames: [...labels], registers: [this.registry] };
    if (kind === 'counter') return new Counter(options);
    if (kind === 'gauge') return new Gauge(options);
    return new Histogram({ ...options, buckets: DURATION_BUCKETS });
  }
}
