import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { StartupError } from '#kernel/errors/startup-error';
import { Transactions } from '#infra/database/transactions';
import { Sealer } from './sealer';

/** A column of secrets that are kept for long; those that live for a day need no re-sealing. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** The primary key, a uuid. */
  readonly key: string;
  /** The context in which the secret of a row was sealed. */
  readonly contextOf: (key: string) => string;
}

interface SealedRow {
  readonly key: string;
  readonly sealed: Buffer;
}

const BATCH = 200;

/** The columns whose secrets outlive a change of master key, and how they get under the new one. */
@Injectable()
export class SealedColumns {
  private readonly columns: SealedColumn[] = [];

  constructor(
    private readonly transactions: Transactions,
    private readonly sealer: Sealer,
  ) {}

  /** Called in `onModuleInit` by whoever has one. */
  register(column: SealedColumn): void {
    if (this.columns.some(({ table }) => table === column.table)) {
      throw new StartupError(`Two sealed columns of the table "${column.table}" are registered.`);
    }
    this.columns.push(column);
  }

  /** How many secrets of each table are not under the first master key. */
  async outdated(ctx: RequestContext): Promise<Readonly<Record<string, number>>> {
    const counts: Record<string, number> = {};
    for (const column of this.columns) {
      const [row]: [{ n: number }] = await this.transactions
        .manager(ctx)
        .query(`SELECT count(*)::int AS n FROM ${column.table} WHERE ${IS_OUTDATED(column)}`, [
          this.sealer.currentHead,
        ]);
      counts[column.table] = row.n;
    }
    return counts;
  }

  /**
   * Seals all of them with the first master key, some hundred at a time; killed half-way, the next run goes on where this one was.
   * Readers and writers go on meanwhile.
   * @returns how many, by table.
   * @throws SealError when one does not open: its key is no longer among the master keys.
   */
  async reseal(ctx: RequestContext, report: (done: number) => void): Promise<Readonly<Record<string, number>>> {
    const counts: Record<string, number> = {};
    let done = 0;
    for (const column of this.columns) {
      counts[column.table] = 0;
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
    const rows: SealedRow[] = await manager.query(
      `SELECT ${column.key} AS key, ${column.column} AS sealed FROM ${column.table} WHERE ${IS_OUTDATED(column)}
       LIMIT ${BATCH} FOR UPDATE`,
      [this.sealer.currentHead],
    );
    const resealed = rows.map(({ key, sealed }) => {
      const context = column.contextOf(key);
      return this.sealer.seal(this.sealer.open(sealed, context), context);
    });
    await manager.query(
      `UPDATE ${column.table} SET ${column.column} = new.sealed
       FROM unnest($1::uuid[], $2::bytea[]) AS new (key, sealed) WHERE ${column.table}.${column.key} = new.key`,
      [rows.map(({ key }) => key), resealed],
    );
    return rows.length;
  }
}

/** By the first bytes, which name the key. */
const IS_OUTDATED = ({ column }: SealedColumn): string => `substring(${column} for length($1::bytea)) <> $1::bytea`;
