import { Injectable } from '@nestjs/common';
import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import { type RequestContext } from '#kernel/context/request-context';
import { one, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';

/** The only row of the table, with the highest time that a sweep has seen. Absent until a worker has started. */
@Entity('clock_mark')
@Check('ck_clock_mark_single', 'id = 1')
export class ClockMarkEntity {
  @PrimaryColumn('smallint', { primaryKeyConstraintName: 'pk_clock_mark' })
  id: number;

  /** By the database's clock. */
  @Column({ type: 'timestamptz', name: 'seen_at', precision: 3 })
  seenAt: Date;
}

/** The database's clock and the mark, as one statement read them. */
interface MarkedTime {
  readonly now: Date;
  /** Null until a worker has started. */
  readonly seenAt: Date | null;
}

@Injectable()
export class ClockMarkRepository {
  constructor(private readonly transactions: Transactions) {}

  async read(ctx: RequestContext): Promise<MarkedTime> {
    const row = await one<MarkedTime>(
      this.transactions.manager(ctx),
      `SELECT app_now() AS now, (SELECT seen_at FROM clock_mark) AS "seenAt"`,
    );
    return row!;
  }

  /** Raises the mark to the database's clock, unless that is more than two days ahead of it. Creates a missing mark. */
  async raise(ctx: RequestContext): Promise<void> {
    await rows(
      this.transactions.manager(ctx),
      `INSERT INTO clock_mark AS mark (id, seen_at) VALUES (1, app_now())
       ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at
       WHERE excluded.seen_at > mark.seen_at AND excluded.seen_at <= mark.seen_at + interval '2 days'`,
    );
  }

  /** Sets the mark to the database's clock, forward or back. */
  async set(ctx: RequestContext): Promise<void> {
    await rows(
      this.transactions.manager(ctx),
      `INSERT INTO clock_mark (id, seen_at) VALUES (1, app_now()) ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at`,
    );
  }
}
