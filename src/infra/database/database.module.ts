import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ConnectionPool } from './pool/connection-pool';
import { ConnectionTimeouts } from './connection-timeouts';
import { dataSourceOptions } from './data-source-options';
import { DatabaseRole } from './roles/database-role';
import { OwnerDatabase } from './roles/owner-database';
import { SchemaVersion } from './migrations/schema-version';
import { Transactions } from './transactions';

export interface DatabaseOptions {
  /** Connects as the application's role. */
  readonly url: string;
  /** Connects as the role that owns the schema, for operator commands. By default `url`. */
  readonly ownerUrl?: string | undefined;
  readonly poolSize: number;
  /** Whether frequent statements are prepared. */
  readonly prepare: boolean;
}

/** PostgreSQL: pool, transactions, roles and schema version. */
@Module({})
export class DatabaseModule {
  static forRoot({ url, ownerUrl = url, poolSize, prepare }: DatabaseOptions): DynamicModule {
    return {
      module: DatabaseModule,
      global: true,
      imports: [
        // Two retries, for a server that is slow to accept its first connection.
        TypeOrmModule.forRoot({
          ...dataSourceOptions(url, poolSize, prepare),
          autoLoadEntities: true,
          retryAttempts: 2,
          retryDelay: 500,
        }),
      ],
      providers: [
        ConnectionPool,
        Transactions,
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
