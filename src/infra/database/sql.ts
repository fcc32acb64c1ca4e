import { type EntityManager, type EntityMetadata, type EntityTarget } from 'typeorm';

const BATCH = 1_000;

/**
 * Deletes the rows of a table that meet a condition, a thousand per statement, so that a backlog of any size stays within the statement
 * timeout and, outside a transaction, is deleted step by step. Rows that another transaction has locked stay until the next run.
 * The condition needs an index, because every statement searches again.
 * @param table SQL, never input.
 * @param condition SQL, never input.
 * @param values the parameters of the condition.
 */
export const deleteInBatches = (
  manager: EntityManager,
  table: string,
  condition: string,
  values: readonly unknown[] = [],
): Promise<void> => deleteBatches(manager, table, `WHERE ${condition}`, values);

export interface OldRows {
  /** SQL of the time, as an index has it. */
  readonly column: string;
  /** SQL of an interval. */
  readonly age: string;
  /** The condition of the index, if it has one. */
  readonly where?: string;
  readonly values?: readonly unknown[];
}

/**
 * Deletes the rows whose time is longer ago than an age, like `deleteInBatches`. They are read in the order of the time: PostgreSQL cannot
 * know that few rows are old, and would search the table instead of the index. A subquery evaluates `app_now()` once, while a plain call is
 * evaluated for each row and prevents the use of the index.
 */
export const deleteOlder = (
  manager: EntityManager,
  table: string,
  { column, age, where = 'true', values = [] }: OldRows,
): Promise<void> =>
  deleteBatches(
    manager,
    table,
    `WHERE ${column} < (SELECT app_now() - ${age}) AND ${where} ORDER BY ${column}`,
    values,
  );

async function deleteBatches(
  manager: EntityManager,
  table: string,
  rowsToDelete: string,
  values: readonly unknown[],
): Promise<void> {
  const batch = `SELECT ctid FROM ${table} ${rowsToDelete} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`;
  const statement = `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(${batch}))`;
  for (let deleted = BATCH; deleted === BATCH;) deleted = await changed(manager, statement, values);
}

/** Escapes a text for LIKE and ILIKE, so that `%` and `_` are ordinary characters. */
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/** A connection, transaction or pool of TypeORM: an EntityManager, a QueryRunner or a DataSource. */
export interface Queryable {
  query(statement: string, values?: unknown[]): Promise<unknown>;
}

/**
 * The driver returns `[rows, count]` for UPDATE and DELETE, and the rows alone for every other statement.
 * No row is a number, so the second element tells the two apart.
 */
const isChange = (result: unknown): result is [unknown[], number] =>
  Array.isArray(result) && result.length === 2 && typeof result[1] === 'number';

/** The rows that a statement returns, with RETURNING too. Values are as the driver reads them: int8 and numeric are text. */
export async function rows<T>(database: Queryable, statement: string, values: readonly unknown[] = []): Promise<T[]> {
  const result = await database.query(statement, [...values]);
  return (isChange(result) ? result[0] : result) as T[];
}

/** The first row that a statement returns, null when there is none. */
export async function one<T>(
  database: Queryable,
  statement: string,
  values: readonly unknown[] = [],
): Promise<T | null> {
  return (await rows<T>(database, statement, values))[0] ?? null;
}

/** The number of rows that an UPDATE or DELETE changed. For an INSERT, use RETURNING and `rows`. */
export async function changed(
  database: Queryable,
  statement: string,
  values: readonly unknown[] = [],
): Promise<number> {
  const result = await database.query(statement, [...values]);
  return isChange(result) ? result[1] : 0;
}

/**
 * Inserts a row without TypeORM's query builder, which takes as long as the statement. For entities without column transformers.
 * @param row a property that is undefined gets the default of its column.
 */
export async function insertRow<T extends object>(
  manager: EntityManager,
  entity: EntityTarget<T>,
  row: Readonly<T>,
): Promise<void> {
  const { tableName, columns } = manager.connection.getMetadata(entity);
  const sent = columns.filter(({ propertyName }) => row[propertyName as keyof T] !== undefined);
  const names = sent.map(({ databaseName }) => `"${databaseName}"`);
  const values = sent.map(({ propertyName }) => row[propertyName as keyof T]);
  await manager.query(
    `INSERT INTO ${tableName} (${names.join(', ')}) VALUES (${names.map((_, n) => `$${n + 1}`).join(', ')})`,
    values,
  );
}

/**
 * The columns of an entity's table, each under its property's name: the rows of `SELECT ${columnsOf(metadata)} …` have the entity's
 * shape and skip TypeORM's mapper, which takes as long as the driver. For entities without column transformers.
 * @param table the name or alias of the table, where several tables are joined.
 * @param without the properties that are not read.
 */
export const columnsOf = ({ columns }: EntityMetadata, table?: string, without: readonly string[] = []): string =>
  columns
    .filter(({ propertyName }) => !without.includes(propertyName))
    .map(({ databaseName, propertyName }) => `${table ? `${table}.` : ''}"${databaseName}" AS "${propertyName}"`)
    .join(', ');

/**
 * The assignments of an UPDATE that saves a whole row, and their values. For entities without column transformers.
 * @param first the number of the first parameter.
 */
export function assignmentsOf<T extends object>(
  { columns }: EntityMetadata,
  row: Readonly<T>,
  first: number,
): { readonly assignments: string; readonly values: readonly unknown[] } {
  const saved = columns.filter(({ isPrimary }) => !isPrimary);
  return {
    assignments: saved.map(({ databaseName }, n) => `"${databaseName}" = $${first + n}`).join(', '),
    values: saved.map(({ propertyName }) => row[propertyName as keyof T]),
  };
}

/** A row that is to be inserted. A property that is undefined is null. */
export type InsertedRow = readonly [entity: EntityTarget<object>, row: object];

/**
 * Inserts rows of several tables with one statement. A row may refer to another of the same call, because foreign keys are checked at the
 * end of the statement.
 */
export async function insertTogether(manager: EntityManager, inserted: readonly InsertedRow[]): Promise<void> {
  const values: unknown[] = [];
  const statements = inserted.map(([entity, row]) => {
    const { tableName, columns } = manager.connection.getMetadata(entity);
    const names = columns.map(({ databaseName }) => `"${databaseName}"`);
    const places = columns.map((column) => {
      const value: unknown = column.getEntityValue(row);
      return `$${values.push(manager.connection.driver.preparePersistentValue(value, column))}`;
    });
    return `INSERT INTO "${tableName}" (${names.join(', ')}) VALUES (${places.join(', ')})`;
  });
  const last = statements.pop();
  if (last === undefined) return;
  const others = statements.map((statement, index) => `inserted_${index} AS (${statement})`);
  await manager.query(others.length > 0 ? `WITH ${others.join(', ')} ${last}` : last, values);
}
