import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Clock } from '#kernel/context/clock';
import { Logger } from '#infra/logging/logger';
import { JOB_WORKER_DEFAULTS, JobWorker, type JobWorkerOptions } from './job-worker';
import { Jobs } from './jobs';
import { QueueGauges } from './queue-gauges';
import { OrganizationSchedules } from './shards/organization-schedules';
import { ShardCursorEntity, ShardCursorsRepository } from './shards/shard-cursors.repository';

export interface JobsModuleOptions extends Partial<JobWorkerOptions> {
  readonly databaseUrl: string;
  /** Whether this process runs jobs (`ROLE=all|worker`); every process may enqueue them. */
  readonly work: boolean;
}

/** The job queue: `Jobs` for every module, and a worker that starts and stops with the application when this process runs jobs. */
@Module({})
export class JobsModule {
  static forRoot({ work, ...options }: JobsModuleOptions): DynamicModule {
    const worker = {
      provide: JobWorker,
      inject: [Jobs, Clock, Logger],
      useFactory: (jobs: Jobs, clock: Clock, logger: Logger) =>
        new JobWorker({ ...JOB_WORKER_DEFAULTS, ...options }, jobs, clock, logger),
    };
    const providers = [Jobs, OrganizationSchedules, QueueGauges, ShardCursorsRepository];
    return {
      module: JobsModule,
      global: true,
      imports: [TypeOrmModule.forFeature([ShardCursorEntity])],
      providers: work ? [...providers, worker] : providers,
      exports: [Jobs, OrganizationSchedules],
    };
  }
}
