/** One file of an export: an array of JSON objects, a row each. */
export interface ExportedFile {
  /** Without `.json`. */
  readonly name: string;
  readonly describe: string;
  /** The tables it shows. */
  readonly tables: readonly string[];
  /** Names its columns: what is not named does not leave. `$1` is the id of whose data it is. */
  readonly sql: string;
}

/** A table of which an export shows the named columns of the rows that fit. */
export const exported = (
  name: string,
  describe: string,
  [table, columns, where]: readonly [table: string, columns: string, where: string],
): ExportedFile => ({
  name,
  describe,
  tables: [table],
  sql: `SELECT ${columns} FROM ${table} WHERE ${where}`,
});
