import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** The one row with the highest time that a sweep has seen. Absent until a worker has started. */
@Entity('clock_mark')
@Check('ck_clock_mark_single', 'id = 1')
export class ClockMarkEntity {
  @PrimaryColumn('smallint', { primaryKeyConstraintName: 'pk_clock_mark' })
  id: number;

  /** By the database's clock. */
  @Column({ type: 'timestamptz', name: 'seen_at', precision: 3 })
  seenAt: Date;
}
