import { type EntityMetadata } from 'typeorm';

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

/** How many rows an UPDATE or DELETE changed. An INSERT needs RETURNING and `rows`. */
export async function changed(
  database: Queryable,
  statement: string,
  values: readonly unknown[] = [],
): Promise<number> {
  const result = await database.query(statement, [...values]);
  return isChange(result) ? result[1] : 0;
}

/**
 * The columns of an entity's table, each under its property's name: the rows of `SELECT ${columnsOf(metadata)} …` have the entity's
 * shape and skip TypeORM's mapper, which takes as long as the driver. For entities without column transformers.
 */
export const columnsOf = ({ columns }: EntityMetadata): string =>
  columns.map(({ databaseName, propertyName }) => `"${databaseName}" AS "${propertyName}"`).join(', ');
