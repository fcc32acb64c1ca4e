/** The rows of a table that are counted by their parent. A trigger of the table records the changes. All names are SQL, never input. */
export interface CountedRows {
  readonly table: string;
  /** The column with the id of the parent. */
  readonly column: string;
  /** The parent's table. */
  readonly parent: string;
  /** The condition of the rows that are not counted. Without it, all rows are. An index of `column` has exactly these rows. */
  readonly except?: string;
}

/** SQL of the sum of the changes that are not yet part of the number. @param id SQL of the parent's id. */
export const changesOf = ({ table }: CountedRows, id: string): string =>
  `(SELECT coalesce(sum(change), 0)::int FROM row_count_change WHERE parent_id = ${id} AND counted = '${table}')`;

/** SQL of a count of all rows, which reads indexes alone. @param id SQL of the parent's id. */
export function recountOf({ table, column, except }: CountedRows, id: string): string {
  const count = (and: string): string => `(SELECT count(*)::int FROM ${table} WHERE ${column} = ${id}${and})`;
  return except === undefined ? count('') : `(${count('')} - ${count(` AND ${except}`)})`;
}

/**
 * SQL of the number of rows of a parent, in the snapshot of the statement. It reads few rows, except while the number is not kept yet: then
 * all are counted.
 * @param id SQL of the parent's id, with the name of its table or a cast.
 */
export const countOf = (rows: CountedRows, id: string): string => `coalesce(
  (SELECT rows + ${changesOf(rows, id)} FROM row_count WHERE parent_id = ${id} AND counted = '${rows.table}'),
  ${recountOf(rows, id)})`;
