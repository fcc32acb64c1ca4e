import { type Clock } from '#kernel/context/clock';
import { jobContext } from '#kernel/context/request-context';
import { newId } from '#kernel/ids';
import { type Logger } from '#infra/logging/logger';
import { type Poll } from './jobs';

/** Repeats one poll in this process. Runs do not overlap. Of several failures in a row, only the first is logged. */
export class Poller {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private failing = false;

  constructor(
    private readonly poll: Poll,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  start(): void {
    this.timer = setInterval(() => this.look(), this.poll.everyMs).unref();
  }

  /** Begins no further run, and waits for the present one. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  private look(): void {
    const { name, run } = this.poll;
    this.running ??= run(jobContext(name, this.clock, newId()))
      .then(() => void (this.failing = false))
      .catch((error: unknown) => {
        if (!this.failing) this.logger.warn({ err: error, poll: name }, 'A poll failed; it will be retried');
        this.failing = true;
      })
      .finally(() => (this.running = undefined));
  }
}
