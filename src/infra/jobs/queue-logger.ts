import { Logger as QueueLogger } from 'graphile-worker';
import { type Logger } from '#infra/logging/logger';

/**
 * Forwards the queue library's warnings and errors to the service's log, as warnings: its errors are lost connections that it retries,
 * or failed attempts, which JobWorker logs itself. Lower levels are dropped.
 */
export function queueLogger(logger: Logger): QueueLogger {
  return new QueueLogger(() => (level, message, meta) => {
    const isRelevant = String(level) === 'error' || String(level) === 'warning';
    if (isRelevant && meta?.['failure'] !== true) logger.warn({ component: 'jobs', err: meta?.['error'] }, message);
  });
}
