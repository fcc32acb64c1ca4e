import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { sample } from '#infra/metrics/gauge-source';
import { Metrics } from '#infra/metrics/metrics';
import { type FairPool } from './fair-pool';
import { poolOf } from './turn-manager';

/** The process's connections to PostgreSQL: opens them at the start and reports their number. */
@Injectable()
export class ConnectionPool implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    const gauge = 'agate_database_connections';

    this.metrics.watch({
      source: 'pool',
      gauges: [gauge],
      read: () => {
        const { totalCount, idleCount, waiting, options } = this.pool;
        return [
          sample(gauge, totalCount, { state: 'total' }),
          sample(gauge, idleCount, { state: 'idle' }),
          sample(gauge, waiting, { state: 'waiting' }),
          sample(gauge, options.max, { state: 'max' }),
        ];
      },
    });
  }

  /**
   * Opens all connections before the first request, because a busy server takes long to open one. A connection that fails now is opened
   * on demand.
   */
  async warm(): Promise<void> {
    const { max } = this.pool.options;
    const opened = await Promise.allSettled(Array.from({ length: max }, () => this.pool.connect()));
    for (const each of opened) if (each.status === 'fulfilled') each.value.release();
  }

  private get pool(): FairPool {
    return poolOf(this.dataSource);
  }
}
