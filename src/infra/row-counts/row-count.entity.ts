import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The number of rows of a table that have the same parent. Together with the changes since, it is exact in every snapshot. */
@Entity('row_count')
export class RowCountEntity {
  /** The id of the parent. There is no foreign key, because rows may be deleted in the same statement as their parent. */
  @PrimaryColumn('uuid', { name: 'parent_id', primaryKeyConstraintName: 'pk_row_count' })
  parentId: string;

  /** The name of the table. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'pk_row_count' })
  counted: string;

  @Column('integer')
  rows: number;
}

/** What one statement added to a number of rows, or subtracted from it. Triggers insert it, and a job adds it to the number. */
@Entity('row_count_change')
export class RowCountChangeEntity {
  @PrimaryColumn('uuid', { name: 'parent_id', primaryKeyConstraintName: 'pk_row_count_change' })
  parentId: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'pk_row_count_change' })
  counted: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_row_count_change' })
  id: string;

  @Column('integer')
  change: number;
}
