import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { changesOf, type CountedRows, recountOf } from './counted-rows';

/** Parents per statement. Each may be counted, so that the statement stays within its timeout. */
const BATCH = 50;

/** A number that differs from the rows. */
export interface WrongCount {
  readonly table: string;
  readonly parentId: string;
  readonly kept: number;
  readonly counted: number;
}

interface Checked extends Omit<WrongCount, 'table'> {
  readonly exists: boolean;
}

/** The ids of parents, in their order. */
type Ids = readonly string[];

/** Each method is one statement and so one snapshot, in which rows, number and changes agree. */
@Injectable()
export class RowCountsRepository {
  constructor(private readonly transactions: Transactions) {}

  /** The next parents with changes. */
  findChanged(ctx: RequestContext, { table }: CountedRows, after: string): Promise<Ids> {
    return this.ids(
      ctx,
      `SELECT DISTINCT parent_id AS id FROM row_count_change WHERE parent_id > $1 AND counted = '${table}'
       ORDER BY parent_id LIMIT ${BATCH}`,
      [after],
    );
  }

  /** The next parents, whether or not their number is kept. */
  findParents(ctx: RequestContext, { parent }: CountedRows, after: string): Promise<Ids> {
    return this.ids(ctx, `SELECT id FROM ${parent} WHERE id > $1 ORDER BY id LIMIT ${BATCH}`, [after]);
  }

  /** Counts the rows of those of the parents that exist and whose number is not kept yet. Rows that are recorded as changes are not part of the number. */
  async begin(ctx: RequestContext, counted: CountedRows, parents: Ids): Promise<void> {
    const { table, parent } = counted;
    await this.run(
      ctx,
      `INSERT INTO row_count (counted, parent_id, rows)
       SELECT '${table}', p.id, ${recountOf(counted, 'p.id')} - ${changesOf(counted, 'p.id')} FROM ${parent} p
       WHERE p.id = ANY ($1::uuid[]) AND NOT EXISTS (SELECT FROM row_count WHERE parent_id = p.id AND counted = '${table}')
       ON CONFLICT DO NOTHING`,
      [parents],
    );
  }

  /** Adds the changes of the parents to their numbers. */
  async fold(ctx: RequestContext, { table }: CountedRows, parents: Ids): Promise<void> {
    await this.run(
      ctx,
      `WITH folded AS (
         DELETE FROM row_count_change d USING row_count c
         WHERE d.parent_id = ANY ($1::uuid[]) AND d.counted = '${table}' AND c.parent_id = d.parent_id AND c.counted = d.counted
         RETURNING d.parent_id, d.change
       ), change AS (SELECT parent_id, sum(change) AS sum FROM folded GROUP BY parent_id)
       UPDATE row_count SET rows = rows + change.sum FROM change
       WHERE row_count.parent_id = change.parent_id AND row_count.counted = '${table}'`,
      [parents],
    );
  }

  /** Deletes the changes and numbers of those of the parents that do not exist. */
  async forget(ctx: RequestContext, { table, parent }: CountedRows, parents: Ids): Promise<void> {
    for (const kept of ['row_count_change', 'row_count'])
      await this.run(
        ctx,
        `DELETE FROM ${kept} k WHERE k.parent_id = ANY ($1::uuid[]) AND k.counted = '${table}'
         AND NOT EXISTS (SELECT FROM ${parent} p WHERE p.id = k.parent_id)`,
        [parents],
      );
  }

  /** Compares the next kept numbers with the rows. A parent that no longer exists has none. */
  check(ctx: RequestContext, counted: CountedRows, after: string): Promise<readonly Checked[]> {
    const { table, parent } = counted;
    return rows<Checked>(
      this.transactions.manager(ctx),
      `SELECT c.parent_id AS "parentId", c.rows + ${changesOf(counted, 'c.parent_id')} AS kept,
              ${recountOf(counted, 'c.parent_id')} AS counted, EXISTS (SELECT FROM ${parent} p WHERE p.id = c.parent_id) AS exists
       FROM row_count c WHERE c.counted = '${table}' AND c.parent_id > $1 ORDER BY c.parent_id LIMIT ${BATCH}`,
      [after],
    );
  }

  /** Gives up numbers, so that the rows are counted until the numbers are kept again. */
  async discard(ctx: RequestContext, { table }: CountedRows, parents: Ids): Promise<void> {
    const statement = `DELETE FROM row_count WHERE parent_id = ANY ($1::uuid[]) AND counted = '${table}'`;
    await this.run(ctx, statement, [parents]);
  }

  private async ids(ctx: RequestContext, statement: string, values: readonly unknown[]): Promise<Ids> {
    const found = await rows<{ id: string }>(this.transactions.manager(ctx), statement, values);
    return found.map(({ id }) => id);
  }

  private async run(ctx: RequestContext, statement: string, values: readonly unknown[]): Promise<void> {
    await rows(this.transactions.manager(ctx), statement, values);
  }
}
