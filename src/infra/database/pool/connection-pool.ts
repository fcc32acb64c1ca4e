import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { sample } from '#infra/metrics/gauge-source';
import { Metrics } from '#infra/metrics/metrics';
import { type FifoPool } from './fifo-pool';

/** The connections of this process, and how busy they are. */
@Injectable()
export class ConnectionPool implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    const gauge = 'agate_database_connections';
    // It asks no database.
    this.metrics.watch({
      source: 'pool',
      gauges: [gauge],
      read: () => {
        const { totalCount, idleCount, inLine } = this.pool;
        return [
          sample(gauge, totalCount, { state: 'total' }),
          sample(gauge, idleCount, { state: 'idle' }),
          sample(gauge, inLine, { state: 'waiting' }),
        ];
      },
    });
  }

  /**
   * Opens all of them, before requests come that would each wait for a new one: a busy server takes its time. What cannot be had now
   * is opened when it is asked for.
   */
  async warm(): Promise<void> {
    const { max } = this.pool.options;
    const opened = await Promise.allSettled(Array.from({ length: max }, () => this.pool.connect()));
    for (const each of opened) if (each.status === 'fulfilled') each.value.release();
  }

  private get pool(): FifoPool {
    return (this.dataSource.driver as unknown as { readonly master: FifoPool }).master;
  }
}
