import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { PooledManager } from '#infra/fast-paths/pg/pooled-manager';
import { Logger } from '#infra/logging/logger';
import { ConnectionTimeouts } from './connection-timeouts';
import { type ConnectionOptions, dataSourceOptions, jobPoolOptions } from './data-source-options';
import { SchemaVersion } from './migrations/schema-version';
import { ConnectionPool } from './pool/connection-pool';
import { JobPool } from './pool/job-pool';
import { TurnManager } from './pool/turn-manager';
import { DatabaseRole } from './roles/database-role';
import { OwnerDatabase } from './roles/owner-database';
import { Transactions } from './transactions';

export interface DatabaseOptions extends ConnectionOptions {
  /** Connects as the application's role. */
  readonly url: string;
  /** Connects as the role that owns the schema, for operator commands. By default `url`. */
  readonly ownerUrl?: string | undefined;
  readonly poolSize: number;
  /** The maximum number of connections of the handlers of jobs. None is opened in a process that runs no jobs. */
  readonly jobPoolSize: number;
}

/** PostgreSQL: pool, transactions, roles and schema version. */
@Module({})
export class DatabaseModule {
  static forRoot({ url, ownerUrl = url, poolSize, jobPoolSize, ...connections }: DatabaseOptions): DynamicModule {
    const Manager = connections.fastPaths === 'off' ? TurnManager : PooledManager;
    return {
      module: DatabaseModule,
      global: true,
      imports: [
        // Two retries, for a server that is slow to accept its first connection.
        TypeOrmModule.forRoot({
          ...dataSourceOptions(url, poolSize, connections),
          autoLoadEntities: true,
          retryAttempts: 2,
          retryDelay: 500,
        }),
      ],
      providers: [
        ConnectionPool,
        {
          provide: Transactions,
          useFactory: (dataSource: DataSource, { pool }: JobPool) => new Transactions(dataSource, Manager, pool),
          inject: [DataSource, JobPool],
        },
        {
          provide: JobPool,
          useFactory: (logger: Logger) => new JobPool(jobPoolOptions(url, jobPoolSize, connections), logger),
          inject: [Logger],
        },
        SchemaVersion,
        DatabaseRole,
        ConnectionTimeouts,
        { provide: OwnerDatabase, useValue: new OwnerDatabase(ownerUrl, url) },
      ],
      exports: [
        ConnectionPool,
        ConnectionTimeouts,
        Transactions,
        SchemaVersion,
        DatabaseRole,
        OwnerDatabase,
        TypeOrmModule,
      ],
    };
  }
}
