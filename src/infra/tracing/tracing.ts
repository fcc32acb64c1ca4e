import { type Logger } from '#infra/logging/logger';

/** Export of traces to a collector. */
export interface Tracing {
  /** Logs export failures as warnings from now on. */
  reportTo(logger: Logger): void;
  /** Exports the remaining spans, for at most three seconds. */
  stop(): Promise<void>;
}
