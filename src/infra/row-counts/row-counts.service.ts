import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { Jobs } from '#infra/jobs/jobs';
import { Logger } from '#infra/logging/logger';
import { type CountedRows } from './counted-rows';
import { RowCountsRepository, type WrongCount } from './row-counts.repository';

const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Keeps numbers of rows that lists and summaries show, so that requests do not count the rows (docs/decisions/0085-what-a-list-reads.md). A trigger
 * records the change of each statement, and a job adds the changes to the numbers.
 */
@Injectable()
export class RowCountsService implements OnModuleInit {
  private readonly counted: CountedRows[] = [];

  constructor(
    private readonly repository: RowCountsRepository,
    private readonly jobs: Jobs,
    private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.jobs.schedule('rows.fold-counts', '*/5 * * * *', (ctx) => this.fold(ctx), { trustsAnyClock: true });
    this.jobs.schedule('rows.check-counts', '57 2 * * *', (ctx) => this.check(ctx), { trustsAnyClock: true });
  }

  /** Called in `onModuleInit` by the module that owns the table. */
  register(rows: CountedRows): void {
    this.counted.push(rows);
  }

  /** Adds all recorded changes to the numbers, and begins the numbers of parents that have none. */
  async fold(ctx: RequestContext): Promise<void> {
    for (const counted of this.counted) {
      for await (const parents of batches((after) => this.repository.findChanged(ctx, counted, after), itself)) {
        await this.repository.begin(ctx, counted, parents);
        await this.repository.fold(ctx, counted, parents);
        await this.repository.forget(ctx, counted, parents);
      }
    }
  }

  /**
   * Compares all numbers with the rows, logs an error for each that is wrong, and counts its rows again. Begins the numbers of parents that
   * have none, as after an upgrade.
   */
  async check(ctx: RequestContext): Promise<readonly WrongCount[]> {
    const wrong: WrongCount[] = [];
    for (const counted of this.counted) {
      wrong.push(...(await this.checkAll(ctx, counted)));
      for await (const parents of batches((after) => this.repository.findParents(ctx, counted, after), itself))
        await this.repository.begin(ctx, counted, parents);
    }
    for (const count of wrong) this.logger.error({ count }, 'A kept number of rows was wrong');
    return wrong;
  }

  private async checkAll(ctx: RequestContext, counted: CountedRows): Promise<WrongCount[]> {
    const wrong: WrongCount[] = [];
    const next = (after: string): ReturnType<RowCountsRepository['check']> =>
      this.repository.check(ctx, counted, after);
    for await (const checked of batches(next, ({ parentId }) => parentId)) {
      const gone = checked.filter(({ exists }) => !exists).map(({ parentId }) => parentId);
      await this.repository.forget(ctx, counted, gone);
      const found = checked.filter(({ exists, kept, counted: rows }) => exists && kept !== rows);
      await this.repository.discard(
        ctx,
        counted,
        found.map(({ parentId }) => parentId),
      );
      wrong.push(...found.map(({ exists: _exists, ...count }) => ({ table: counted.table, ...count })));
    }
    return wrong;
  }
}

const itself = (id: string): string => id;

/** Reads batches of rows, each after the id of the last row of the one before, until there are none. */
async function* batches<Row>(
  next: (after: string) => Promise<readonly Row[]>,
  idOf: (row: Row) => string,
): AsyncGenerator<readonly Row[]> {
  let after = FIRST_ID;
  for (;;) {
    const batch = await next(after);
    const last = batch.at(-1);
    if (last === undefined) return;
    yield batch;
    after = idOf(last);
  }
}
