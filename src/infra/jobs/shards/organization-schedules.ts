import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { newId } from '#kernel/ids';
import { ClockGuardService } from '#infra/clock/clock-guard.service';
import { Transactions } from '#infra/database/transactions';
import { forEachCollectingErrors } from '../for-each-collecting-errors';
import { defineJob, type JobKind, type JobRun } from '../job-kind';
import { Jobs, type ScheduleOptions } from '../jobs';
import { type ShardPage, SHARDS } from './shard';
import { ShardCursorsRepository, type ShardRun } from './shard-cursors.repository';

const PAGE_SIZE = 100;

/** Periodic work for each organization. Both functions must be safe to repeat. */
export interface OrganizationWork {
  /** The ids of the organizations of a page that have work, in order. */
  readonly find: (ctx: RequestContext, page: ShardPage) => Promise<readonly string[]>;
  readonly run: (ctx: RequestContext, organizationId: string) => Promise<unknown>;
}

export interface OrganizationScheduleOptions extends Omit<ScheduleOptions, 'jobClass'> {
  /** Runs first, once for all shards. When the result is false, there is nothing to do, and no shard is queued. */
  readonly begin?: (ctx: RequestContext) => Promise<boolean>;
}

/** Does work for the organizations of all shards, one after another. @throws AggregateError like `forEachCollectingErrors`. */
export async function forEachOrganization(ctx: RequestContext, { find, run }: OrganizationWork): Promise<void> {
  async function* organizations(): AsyncGenerator<string> {
    for (let after: string | null = null; ;) {
      const page: readonly string[] = await find(ctx, { shard: null, after, limit: PAGE_SIZE });
      yield* page;
      if (page.length < PAGE_SIZE) return;
      after = page.at(-1)!;
    }
  }
  await forEachCollectingErrors(organizations(), (id) => run(ctx, id));
}

interface Shard {
  readonly shard: number;
  readonly run: string;
}

/**
 * Periodic work for all organizations, in shards by a hash of their ids, each of which is a job: the workers of all processes share the
 * work. Shards have slots of their own (`JobClass`), so that sweeps and mails do not wait for them.
 */
@Injectable()
export class OrganizationSchedules {
  private readonly scheduled = new Map<string, OrganizationWork>();

  constructor(
    private readonly jobs: Jobs,
    private readonly cursors: ShardCursorsRepository,
    private readonly transactions: Transactions,
    private readonly clockGuard: ClockGuardService,
  ) {}

  /**
   * Registers work that runs once per organization for all processes together. A shard that still runs is not queued again. A failure of an
   * organization does not stop its shard, which is retried until the next run takes the place of the retry, so that the others do not wait
   * for longer and longer; a killed process continues after the last page.
   * @param cron five fields, in UTC
   */
  schedule(name: string, cron: string, work: OrganizationWork, options: OrganizationScheduleOptions = {}): void {
    const { begin, ...schedule } = options;
    const kind = defineJob<Shard>(`${name}-shard`, { jobClass: 'shards' });
    this.scheduled.set(name, work);
    this.jobs.schedule(
      name,
      cron,
      async (ctx) => {
        if (!begin || (await begin(ctx))) await this.enqueue(ctx, kind);
      },
      schedule,
    );
    this.jobs.register(kind, async (ctx, shard, job) => {
      if (!schedule.trustsAnyClock && !(await this.clockGuard.mayRun(ctx))) return;
      await this.run(ctx, { task: kind.name, ...shard }, work, job);
    });
  }

  /** Does the work of a schedule for all organizations now, one after another. @throws AggregateError like `forEachCollectingErrors`. */
  async runAll(ctx: RequestContext, name: string): Promise<void> {
    await forEachOrganization(ctx, this.scheduled.get(name)!);
  }

  private async enqueue(ctx: RequestContext, kind: JobKind<Shard>): Promise<void> {
    const busy = await this.jobs.busyKeys(ctx, kind);
    const run = newId();
    await this.transactions.run(ctx, async (tx) => {
      for (let shard = 0; shard < SHARDS; shard += 1) {
        const key = String(shard);
        if (!busy.has(key)) await this.jobs.enqueue(tx, kind, { shard, run }, { key, replaces: true });
      }
    });
  }

  private async run(ctx: RequestContext, run: ShardRun, work: OrganizationWork, { signal }: JobRun): Promise<void> {
    let hasFailed = false;
    const organizations = this.organizations(ctx, run, work, { signal, isDone: () => !hasFailed });
    try {
      await forEachCollectingErrors(organizations, async (id) => {
        try {
          await work.run(ctx, id);
        } catch (error) {
          hasFailed = true;
          throw error;
        }
      });
    } catch (error) {
      // The retry begins with the first organization, because any of them can have failed.
      if (error instanceof AggregateError) await this.cursors.delete(ctx, run);
      throw error;
    }
    await this.cursors.delete(ctx, run);
  }

  /**
   * The organizations of a shard after those of the pages that are done. No page is after a failure, so that a run that is interrupted later
   * tries the failed organization again.
   */
  private async *organizations(
    ctx: RequestContext,
    run: ShardRun,
    work: OrganizationWork,
    { signal, isDone }: { readonly signal: AbortSignal; readonly isDone: () => boolean },
  ): AsyncGenerator<string> {
    let after = await this.cursors.find(ctx, run);
    for (;;) {
      const page = await work.find(ctx, { shard: run.shard, after, limit: PAGE_SIZE });
      for (const id of page) {
        signal.throwIfAborted();
        yield id;
      }
      if (page.length < PAGE_SIZE) return;
      after = page.at(-1)!;
      if (isDone()) await this.cursors.save(ctx, run, after);
    }
  }
}
