import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { StartupError } from '#kernel/errors/startup-error';
import { changed, one, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { Sealer } from './sealer';

/** A column of long-lived secrets. Secrets that expire within a day need no re-sealing and are not registered. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** The primary key column, a uuid. */
  readonly key: string;
  /** The sealing context of the secret in the row with this key. */
  readonly contextOf: (key: string) => string;
}

interface SealedRow {
  readonly key: string;
  readonly sealed: Buffer;
}

const BATCH = 200;

/** The columns to re-seal when the master key changes. */
@Injectable()
export class SealedColumns {
  private readonly columns: SealedColumn[] = [];

  constructor(
    private readonly transactions: Transactions,
    private readonly sealer: Sealer,
  ) {}

  /** Called in `onModuleInit` by the module that owns the column. */
  register(column: SealedColumn): void {
    if (this.columns.some((other) => other.table === column.table && other.column === column.column)) {
      throw new StartupError(`The sealed column "${column.table}.${column.column}" is registered twice.`);
    }
    this.columns.push(column);
  }

  /** Counts the secrets that are not sealed with the first master key, by table. */
  async outdated(ctx: RequestContext): Promise<Readonly<Record<string, number>>> {
    const counts: Record<string, number> = {};
    for (const column of this.columns) {
      const row = await one<{ count: number }>(
        this.transactions.manager(ctx),
        `SELECT count(*)::int AS count FROM ${column.table} WHERE ${IS_OUTDATED(column)}`,
        [this.sealer.currentHead],
      );
      counts[column.table] = (counts[column.table] ?? 0) + (row?.count ?? 0);
    }
    return counts;
  }

  /**
   * Re-seals all outdated secrets with the first master key, in batches. It can be interrupted and run again, and does not
   * block readers or writers.
   * @returns the number of re-sealed secrets, by table.
   * @throws SealError when a secret cannot be opened because its key is no longer among the master keys.
   */
  async reseal(ctx: RequestContext, report: (done: number) => void): Promise<Readonly<Record<string, number>>> {
    const counts: Record<string, number> = {};
    let done = 0;
    for (const column of this.columns) {
      counts[column.table] ??= 0;
      for (let count = BATCH; count === BATCH;) {
        count = await this.transactions.run(ctx, (tx) => this.resealBatch(tx, column));
        counts[column.table] = (counts[column.table] ?? 0) + count;
        report((done += count));
      }
    }
    return counts;
  }

  private async resealBatch(tx: RequestContext, column: SealedColumn): Promise<number> {
    const manager = this.transactions.manager(tx);
    const outdated = await rows<SealedRow>(
      manager,
      `SELECT ${column.key} AS key, ${column.column} AS sealed FROM ${column.table} WHERE ${IS_OUTDATED(column)}
       LIMIT ${BATCH} FOR UPDATE`,
      [this.sealer.currentHead],
    );
    const resealed = outdated.map(({ key, sealed }) => {
      const context = column.contextOf(key);
      return this.sealer.seal(this.sealer.open(sealed, context), context);
    });
    await changed(
      manager,
      `UPDATE ${column.table} SET ${column.column} = new.sealed
       FROM unnest($1::uuid[], $2::bytea[]) AS new (key, sealed) WHERE ${column.table}.${column.key} = new.key`,
      [outdated.map(({ key }) => key), resealed],
    );
    return outdated.length;
  }
}

/** Compares the first bytes of the sealed value, which name the key. */
const IS_OUTDATED = ({ column }: SealedColumn): string => `substring(${column} for length($1::bytea)) <> $1::bytea`;
