/** A sample line of the Prometheus text format. */
export interface ScrapedSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const LINE = /^(\w+)(?:\{(.*)\})? (\S+)$/;

/** The response of a scrape. */
export class Scraped {
  readonly samples: readonly ScrapedSample[];

  constructor(readonly text: string) {
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    this.samples = lines.map((line) => {
      const [, name = '', labels = '', value] = LINE.exec(line) ?? [];
      const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, key = '', text = '']) => [key, text] as const);
      return { name, labels: Object.fromEntries(pairs), value: Number(value) };
    });
  }

  static async from(url: string, token?: string): Promise<Scraped> {
    const answer = await fetch(`${url}/metrics`, { headers: token ? { Authorization: `Bearer ${token}` } : {} });
    if (answer.status !== 200) throw new Error(`The scrape responded ${answer.status}.`);
    return new Scraped(await answer.text());
  }

  /** The sum of a metric's samples with at least these labels. Undefined when there is none. */
  value(name: string, labels: Readonly<Record<string, string>> = {}): number | undefined {
    const found = this.samples.filter(
      (sample) => sample.name === name && Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
    );
    return found.length === 0 ? undefined : found.reduce((sum, sample) => sum + sample.value, 0);
  }

  /** All values of a label. */
  labelValues(label: string): string[] {
    return [...new Set(this.samples.flatMap(({ labels }) => labels[label] ?? []))];
  }
}
