import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type Sample, sample } from '#infra/metrics/gauge-source';
import { Metrics } from '#infra/metrics/metrics';
import { Jobs } from './jobs';

/** Reports the queue's state per kind of job. Every process reports the same values, because all share one queue. */
@Injectable()
export class QueueGauges implements OnModuleInit {
  constructor(
    private readonly jobs: Jobs,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    this.metrics.watch({
      source: 'queue',
      gauges: ['agate_jobs_waiting', 'agate_jobs_running', 'agate_jobs_dead', 'agate_job_oldest_due_seconds'],
      read: (ctx) => this.read(ctx),
    });
  }

  private async read(ctx: RequestContext): Promise<readonly Sample[]> {
    const tasks = await this.jobs.tasks(ctx);
    return tasks.flatMap(({ task, waiting, running, failed, oldestDueSeconds }) => [
      sample('agate_jobs_waiting', waiting, { task }),
      sample('agate_jobs_running', running, { task }),
      sample('agate_jobs_dead', failed, { task }),
      sample('agate_job_oldest_due_seconds', oldestDueSeconds, { task }),
    ]);
  }
}
