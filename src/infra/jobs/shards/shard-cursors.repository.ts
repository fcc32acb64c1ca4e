import { Injectable } from '@nestjs/common';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { type RequestContext } from '#kernel/context/request-context';
import { one, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';

/** The progress of one run of a shard. Exists while the run has not ended. */
@Entity('shard_cursor')
export class ShardCursorEntity {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'pk_shard_cursor' })
  task: string;

  @PrimaryColumn('smallint', { primaryKeyConstraintName: 'pk_shard_cursor' })
  shard: number;

  /** Identifies the run, so that the next run does not continue a run that failed. */
  @Column('text')
  run: string;

  /** The last organization of the pages that are done. */
  @Column('uuid', { name: 'after_id' })
  afterId: string;
}

/** One run of one shard. */
export interface ShardRun {
  readonly task: string;
  readonly shard: number;
  readonly run: string;
}

@Injectable()
export class ShardCursorsRepository {
  constructor(private readonly transactions: Transactions) {}

  /** The last organization that the run has done; null at its beginning. */
  async find(ctx: RequestContext, { task, shard, run }: ShardRun): Promise<string | null> {
    const row = await one<{ after: string }>(
      this.transactions.manager(ctx),
      'SELECT after_id AS after FROM shard_cursor WHERE task = $1 AND shard = $2 AND run = $3',
      [task, shard, run],
    );
    return row?.after ?? null;
  }

  async save(ctx: RequestContext, { task, shard, run }: ShardRun, after: string): Promise<void> {
    await rows(
      this.transactions.manager(ctx),
      `INSERT INTO shard_cursor (task, shard, run, after_id) VALUES ($1, $2, $3, $4)
       ON CONFLICT (task, shard) DO UPDATE SET run = excluded.run, after_id = excluded.after_id`,
      [task, shard, run, after],
    );
  }

  async delete(ctx: RequestContext, { task, shard }: ShardRun): Promise<void> {
    const statement = 'DELETE FROM shard_cursor WHERE task = $1 AND shard = $2';
    await rows(this.transactions.manager(ctx), statement, [task, shard]);
  }
}
