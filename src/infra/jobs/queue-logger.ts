import { Logger as QueueLogger } from 'graphile-worker';
import { type Logger } from '#infra/logging/logger';

/**
 * The queue library's log in ours. What it calls an error is a connection it will try again, or a failed attempt that
 * the worker reports better; so nothing of it is above a warning, and its chatter is dropped.
 */
export function queueLogger(logger: Logger): QueueLogger {
  return new QueueLogger(() => (level, message, meta) => {
    const loud = String(level) === 'error' || String(level) === 'warning';
    if (loud && meta?.['failure'] !== true) logger.warn({ component: 'jobs', err: meta?.['error'] }, message);
  });
}
