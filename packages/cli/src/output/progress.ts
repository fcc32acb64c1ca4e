import { type Output } from './output';

const REDRAW_MS = 100;
const LINE_MS = 30_000;
const LINE_PERCENT = 10;
const BAR_WIDTH = 20;
/** Seconds over which the speed is measured. */
const SPEED_WINDOW_MS = 10_000;

export interface ProgressOptions {
  readonly title: string;
  readonly total: number;
  /** The number of bytes that were transferred before, for example before an interruption. */
  readonly done?: number;
  /** Milliseconds since an arbitrary time. */
  readonly now: () => number;
  /** The speed as a text. Default: of a transfer of bytes. */
  readonly rateOf?: (perSecond: number) => string;
}

/** Shows the progress of a transfer, or of other work that is counted: one line that changes on a terminal, otherwise a line at intervals. */
export class Progress {
  private done: number;
  private detail = '';
  private drawnAt = -Infinity;
  private line: { at: number; percent: number };
  private samples: { readonly at: number; readonly done: number }[];

  constructor(
    private readonly output: Output,
    private readonly options: ProgressOptions,
  ) {
    this.done = options.done ?? 0;
    this.line = { at: options.now(), percent: this.percent };
    this.samples = [{ at: options.now(), done: this.done }];
  }

  /** @param detail such as `6 of 12 parts`. */
  report(done: number, detail = ''): void {
    const at = this.options.now();
    this.done = done;
    this.detail = detail;
    this.samples = [...this.samples.filter((sample) => at - sample.at < SPEED_WINDOW_MS), { at, done }];
    if (!this.output.hasStatusLine) return this.writeLine(at);
    if (at - this.drawnAt < REDRAW_MS) return;
    this.drawnAt = at;
    this.output.status(this.text(true));
  }

  end(): void {
    this.output.status('');
  }

  private writeLine(at: number): void {
    if (at - this.line.at < LINE_MS || this.percent - this.line.percent < LINE_PERCENT) return;
    this.line = { at, percent: this.percent };
    this.output.say(this.text(false));
  }

  private get percent(): number {
    const { total } = this.options;
    return total === 0 ? 100 : Math.floor((this.done / total) * 100);
  }

  private text(withBar: boolean): string {
    const { title, total, rateOf = bytesPerSecond } = this.options;
    const filled = Math.round((this.percent / 100) * BAR_WIDTH);
    const bar = `${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)} `;
    const speed = this.speed();
    const facts = [
      `${this.percent} %`,
      ...(speed > 0 ? [rateOf(speed), `${durationText((total - this.done) / speed)} left`] : []),
      ...(this.detail ? [this.detail] : []),
    ];
    const text = `${title} ${withBar ? bar : ''}${facts.join(' · ')}`;
    return text.length < this.output.columns ? text : text.slice(0, this.output.columns - 1);
  }

  /** Bytes, or what is counted, per second. */
  private speed(): number {
    const [first] = this.samples;
    const last = this.samples.at(-1);
    if (!first || !last || last.at === first.at) return 0;
    return ((last.done - first.done) / (last.at - first.at)) * 1_000;
  }
}

const bytesPerSecond = (speed: number): string => `${sizeOf(speed)}/s`;

const MB = 1_000_000;

/** A size for people, such as `12.3 MB`. */
export function sizeOf(bytes: number): string {
  if (bytes < MB / 10) return `${Math.ceil(bytes / 1_000)} kB`;
  return bytes < 1_000 * MB ? `${(bytes / MB).toFixed(1)} MB` : `${(bytes / MB / 1_000).toFixed(2)} GB`;
}

/** A duration for people, such as `1 min 5 s`. */
export function durationText(seconds: number): string {
  const whole = Math.ceil(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
