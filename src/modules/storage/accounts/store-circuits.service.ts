import { Injectable } from '@nestjs/common';
import { AppError } from '#kernel/errors/app-error';
import { StoreError, type StoreErrorKind } from '#infra/blob/store-errors';
import { Logger } from '#infra/logging/logger';
import { Metrics } from '#infra/metrics/metrics';
import { CircuitBreaker } from '#infra/network/circuit-breaker';

/** Rejected credentials and a full disk are responses of a working store: other work may succeed. */
const OUTAGES: ReadonlySet<StoreErrorKind> = new Set(['resolve', 'connect', 'tls', 'timeout', 'failing']);

/** The store of a storage account. */
export interface StoreOwner {
  readonly account: string;
  readonly owner: 'hosted' | 'customer';
}

/**
 * A circuit breaker per store for the jobs that use it, so that a store that hangs does not occupy the slots of jobs for other stores.
 * Requests are not affected: their responses say how the store is now.
 */
@Injectable()
export class StoreCircuitsService {
  /** Only the accounts with a recent outage, or with work in progress. */
  private readonly circuits = new Map<string, CircuitBreaker>();

  constructor(
    private readonly logger: Logger,
    private readonly metrics: Metrics,
  ) {}

  /** @throws CircuitOpenError immediately when the store has not responded to the last jobs. */
  async run<T>(store: StoreOwner, work: () => Promise<T>): Promise<T> {
    const circuit = this.circuits.get(store.account) ?? this.circuitOf(store);
    this.circuits.set(store.account, circuit);
    try {
      return await circuit.run(work);
    } finally {
      if (circuit.isIdle) this.circuits.delete(store.account);
    }
  }

  private circuitOf({ account, owner }: StoreOwner): CircuitBreaker {
    return new CircuitBreaker({
      server: `The store ${account}`,
      isOutage,
      onChange: (isOpen) => {
        this.metrics.change('agate_circuits_open', { dependency: owner }, isOpen ? 1 : -1);
        const message = isOpen
          ? 'A store does not respond; jobs for it are rejected for now'
          : 'A store responds again';
        this.logger.warn({ account }, message);
      },
    });
  }
}

const isOutage = (error: unknown): boolean =>
  error instanceof AppError &&
  error.errorCase === 'storage_backend_unavailable' &&
  (!(error.cause instanceof StoreError) || OUTAGES.has(error.cause.kind));
