import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { Transactions } from '#platform/database/transactions';
import { type Sample, sample } from '#platform/metrics/gauge-source';
import { Metrics } from '#platform/metrics/metrics';

interface TaskRow {
  readonly task: string;
  readonly waiting: number;
  readonly running: number;
  readonly dead: number;
  readonly oldest_due_seconds: number;
}

const TASKS = `
  SELECT task_identifier AS task,
         count(*) FILTER (WHERE NOT dead AND locked_at IS NULL)::int AS waiting,
         count(*) FILTER (WHERE locked_at IS NOT NULL)::int AS running,
         count(*) FILTER (WHERE dead)::int AS dead,
         greatest(coalesce(extract(epoch FROM now() - min(run_at) FILTER (WHERE NOT dead AND locked_at IS NULL)), 0), 0)::int
           AS oldest_due_seconds
  FROM (SELECT task_identifier, locked_at, run_at, locked_at IS NULL AND attempts >= max_attempts AS dead
        FROM graphile_worker.jobs) AS job
  GROUP BY task_identifier`;

/** How the queue is doing, task by task: the same in every process, since they share it. */
@Injectable()
export class QueueGauges implements OnModuleInit {
  constructor(
    private readonly transactions: Transactions,
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
    const rows = await this.transactions.manager(ctx).query<TaskRow[]>(TASKS);
    return rows.flatMap(({ task, waiting, running, dead, oldest_due_seconds: oldest }) => [
      sample('agate_jobs_waiting', waiting, { task }),
      sample('agate_jobs_running', running, { task }),
      sample('agate_jobs_dead', dead, { task }),
      sample('agate_job_oldest_due_seconds', oldest, { task }),
    ]);
  }
}
