import { type Logger } from '#infra/logging/logger';

/** Traces on their way to a collector. */
export interface Tracing {
  /** Where troubles with the collector are told, from now on. */
  reportTo(logger: Logger): void;
  /** Sends what has not been sent yet; for a collector that is away it does not wait long. */
  stop(): Promise<void>;
}
