import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { dataSourceOptions } from './data-source-options';
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
        TypeOrmModule.forRoot({ ...dataSourceOptions(url, poolSize), autoLoadEntities: true, retryAttempts: 0 }),
      ],
      providers: [Transactions, SchemaVersion],
      exports: [Transactions, SchemaVersion, TypeOrmModule],
    };
  }
}
