import { once } from 'node:events';
import { setImmediate as turnOfTheLoop, setTimeout as sleep } from 'node:timers/promises';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { HttpConfig, RuntimeConfig } from '#infra/config/config';
import { type Config } from '#infra/config/load-config';
import { JobWorker } from '#infra/jobs/job-worker';
import { Readiness } from '#infra/lifecycle/readiness';
import { type Logger } from '#infra/logging/logger';

/** A second signal this soon is an echo of the first: `timeout`, terminals and npm signal the process and its group. */
const ECHO_MS = 1_000;
const CLOSE_IDLE_MS = 200;

/**
 * On SIGINT or SIGTERM: stops, and exits with 0. What is not over `shutdownLimitMs` after the drain, or when somebody insists
 * by a second signal, is cut off, and the process exits with 1; what that leaves behind is what a crash leaves, and is swept.
 */
export function stopOnSignals(config: Config, logger: Logger, stop: () => Promise<void>): void {
  const { shutdownDrainMs, shutdownLimitMs } = config.get(HttpConfig);
  let firstAt: number | undefined;
  const giveUp = (why: string): void => {
    logger.error({}, `${why}: cutting off what is in flight`);
    process.exit(1);
  };
  const onSignal = (signal: NodeJS.Signals): void => {
    if (firstAt !== undefined) {
      if (performance.now() - firstAt > ECHO_MS) giveUp(`A second ${signal}`);
      return;
    }
    firstAt = performance.now();
    logger.info({ signal }, 'stopping: finishing what is in flight');
    setTimeout(giveUp, shutdownDrainMs + shutdownLimitMs, 'The limit of the stop').unref();
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ err: error }, 'stopping failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
}

/** Takes no more jobs, and after the drain no more requests; resolves when those that had begun are done. */
export async function drainInFlight(app: NestExpressApplication, config: Config): Promise<void> {
  const works = config.get(RuntimeConfig).role !== 'api';
  await Promise.all([
    works && app.get(JobWorker, { strict: false }).stop(),
    stopServing(app, config.get(HttpConfig).shutdownDrainMs),
  ]);
}

/**
 * Says "not ready" before it stops listening, so that a balancer looks away first; then ends idle connections, and those that
 * become idle once their request is finished: a client that keeps one would hold the process until it is cut off.
 */
async function stopServing(app: NestExpressApplication, drainMs: number): Promise<void> {
  const server = app.getHttpServer();
  if (!server.listening) return;
  app.get(Readiness).drain();
  await sleep(drainMs);
  // What has arrived by now is read first: it makes its connection a busy one.
  await turnOfTheLoop();
  const closed = once(server, 'close');
  server.close();
  const closing = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_MS);
  await closed;
  clearInterval(closing);
}

/** ShutdownHooks something that was started. */
export type Stop = () => Promise<void>;

/** What was started and must be stopped, last first. */
export class ShutdownHooks {
  private readonly started: Stop[] = [];

  push(...stops: readonly Stop[]): void {
    this.started.push(...stops);
  }

  /**
   * ShutdownHooks everything, once: what cannot be stopped keeps nothing else running.
   * @throws the error of the one that failed, or an AggregateError of several.
   */
  async run(): Promise<void> {
    const errors: unknown[] = [];
    for (const stop of this.started.splice(0).reverse()) {
      try {
        await stop();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 1) throw new AggregateError(errors, 'Several parts could not be stopped.');
    if (errors.length > 0) throw errors[0];
  }
}
