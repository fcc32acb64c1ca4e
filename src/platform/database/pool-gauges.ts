import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Pool } from 'pg';
import { DataSource } from 'typeorm';
import { sample } from '#platform/metrics/gauge-source';
import { Metrics } from '#platform/metrics/metrics';

/** How busy the connections of this process are; it asks no database. */
@Injectable()
export class PoolGauges implements OnModuleInit {
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
        const { totalCount, idleCount, waitingCount } = this.pool;
        return [
          sample(gauge, totalCount, { state: 'total' }),
          sample(gauge, idleCount, { state: 'idle' }),
          sample(gauge, waitingCount, { state: 'waiting' }),
        ];
      },
    });
  }

  private get pool(): Pool {
    return (this.dataSource.driver as unknown as { readonly master: Pool }).master;
  }
}
