import { once } from 'node:events';
import { setImmediate as nextLoopTurn, setTimeout as sleep } from 'node:timers/promises';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { HttpConfig, RuntimeConfig } from '#infra/config/config';
import { type Config } from '#infra/config/load-config';
import { JobWorker } from '#infra/jobs/job-worker';
import { Readiness } from '#infra/lifecycle/readiness';

const CLOSE_IDLE_MS = 200;

/** Stops fetching jobs and, after the drain, accepting requests. Resolves when those in progress are complete. */
export async function drainInFlight(app: NestExpressApplication, config: Config): Promise<void> {
  const works = config.get(RuntimeConfig).role !== 'api';
  await Promise.all([
    works && app.get(JobWorker, { strict: false }).stop(),
    stopServing(app, config.get(HttpConfig).shutdownDrainMs),
  ]);
}

/**
 * Reports "not ready" before it stops listening, so that a load balancer stops sending traffic first. Then closes idle
 * connections repeatedly: a client that keeps a connection open would otherwise delay the shutdown until its limit.
 */
async function stopServing(app: NestExpressApplication, drainMs: number): Promise<void> {
  const server = app.getHttpServer();
  if (!server.listening) return;
  app.get(Readiness).drain();
  await sleep(drainMs);
  // Reads requests that have already arrived, so that their connections do not count as idle.
  await nextLoopTurn();
  const closed = once(server, 'close');
  server.close();
  const closing = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_MS);
  await closed;
  clearInterval(closing);
}
