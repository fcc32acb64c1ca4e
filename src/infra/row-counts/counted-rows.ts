/** The rows of a table that are counted by their parent. A trigger of the table records the changes. All names are SQL, never input. */
export interface CountedRows {
  readonly table: string;
  /** The column with the id of the parent. */
  readonly column: string;
  /** The parent's table. */
  readonly parent: string;
  /** A condition that rows must meet to be counted. Without it, all rows are. */
  readonly where?: string;
}

/** SQL of the sum of the changes that are not yet part of the number. @param id SQL of the parent's id. */
export const changesOf = ({ table }: CountedRows, id: string): string =>
  `(SELECT coalesce(sum(change), 0)::int FROM row_count_change WHERE parent_id = ${id} AND counted = '${table}')`;

/** SQL of a count of all rows. @param id SQL of the parent's id. */
export const recountOf = ({ table, column, where = 'true' }: CountedRows, id: string): string =>
  `(SELECT count(*)::int FROM ${table} WHERE ${column} = ${id} AND ${where})`;

/**
 * SQL of the number of rows of a parent, in the snapshot of the statement. It reads few rows, except while the number is not kept yet: then
 * all are counted.
 * @param id SQL of the parent's id, with the name of its table or a cast.
 */
export const countOf = (rows: CountedRows, id: string): string => `coalesce(
  (SELECT rows + ${changesOf(rows, id)} FROM row_count WHERE parent_id = ${id} AND counted = '${rows.table}'),
  ${recountOf(rows, id)})`;
