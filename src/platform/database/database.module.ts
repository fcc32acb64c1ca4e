import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { dataSourceOptions } from './data-source-options';
import { DatabaseRole } from './database-role';
import { PoolGauges } from './pool-gauges';
import { SchemaVersion } from './schema-version';
import { Transactions } from './transactions';

/** PostgreSQL: the pool, and transactions. */
@Module({})
export class DatabaseModule {
  static forRoot(url: string, poolSize: number): DynamicModule {
    return {
      module: DatabaseModule,
      global: true,
      imports: [
        // A server that is slow to take the first connection is asked again; what it refuses for good fails soon enough.
        TypeOrmModule.forRoot({
          ...dataSourceOptions(url, poolSize),
          autoLoadEntities: true,
          retryAttempts: 2,
          retryDelay: 500,
        }),
      ],
      providers: [Transactions, SchemaVersion, DatabaseRole, PoolGauges],
      exports: [Transactions, SchemaVersion, DatabaseRole, TypeOrmModule],
    };
  }
}
