import { HttpConfig } from '#infra/config/config';
import { type Config } from '#infra/config/load-config';
import { type Logger } from '#infra/logging/logger';

/**
 * A second signal within this time is a duplicate of the first: `timeout`, terminals and npm signal both the process and its
 * group.
 */
const ECHO_MS = 1_000;

/**
 * On SIGINT or SIGTERM, runs `stop` and exits with 0. After `shutdownDrainMs + shutdownLimitMs`, or on a second signal, exits with 1
 * immediately. Interrupted work is cleaned up as after a crash.
 */
export function stopOnSignals(config: Config, logger: Logger, stop: () => Promise<void>): void {
  const { shutdownDrainMs, shutdownLimitMs } = config.get(HttpConfig);
  let firstAt: number | undefined;
  const abort = (why: string): void => {
    logger.error({}, `${why}: aborting requests in flight`);
    process.exit(1);
  };
  const onSignal = (signal: NodeJS.Signals): void => {
    if (firstAt !== undefined) {
      if (performance.now() - firstAt > ECHO_MS) abort(`A second ${signal}`);
      return;
    }
    firstAt = performance.now();
    logger.info({ signal }, 'shutting down: draining requests in flight');
    setTimeout(abort, shutdownDrainMs + shutdownLimitMs, 'The shutdown limit has passed').unref();
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ err: error }, 'shutdown failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
}

/** Stops a part of the process. */
export type ShutdownHook = () => Promise<void>;

/** Functions that stop the started parts, in reverse order of their start. */
export class ShutdownHooks {
  private readonly hooks: ShutdownHook[] = [];
  private began = false;

  /** Whether parts of the process are being stopped or have stopped. Code that still uses them fails. */
  get hasBegun(): boolean {
    return this.began;
  }

  push(...hooks: readonly ShutdownHook[]): void {
    this.hooks.push(...hooks);
  }

  /**
   * Runs every hook once, in reverse order. A failing hook does not prevent the others.
   * @throws the error of the hook that failed, or an AggregateError of several.
   */
  async run(): Promise<void> {
    this.began = true;
    const errors: unknown[] = [];
    for (const hook of this.hooks.splice(0).reverse()) {
      try {
        await hook();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 1) throw new AggregateError(errors, 'Several shutdown hooks failed.');
    if (errors.length > 0) throw errors[0];
  }
}
