import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ConnectionPool } from './pool/connection-pool';
import { dataSourceOptions } from './data-source-options';
import { DatabaseRole } from './roles/database-role';
import { OwnerDatabase } from './roles/owner-database';
import { SchemaVersion } from './migrations/schema-version';
import { Transactions } from './transactions';

export interface DatabaseOptions {
  /** As the role that the service runs as. */
  readonly url: string;
  /** As the role that owns the schema: for operators. By default the same. */
  readonly ownerUrl?: string | undefined;
  readonly poolSize: number;
}

/** PostgreSQL: the pool, and transactions. */
@Module({})
export class DatabaseModule {
  static forRoot({ url, ownerUrl = url, poolSize }: DatabaseOptions): DynamicModule {
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
      providers: [
        ConnectionPool,
        Transactions,
        SchemaVersion,
        DatabaseRole,
        { provide: OwnerDatabase, useValue: new OwnerDatabase(ownerUrl, url) },
      ],
      exports: [ConnectionPool, Transactions, SchemaVersion, DatabaseRole, OwnerDatabase, TypeOrmModule],
    };
  }
}
