import { type EntityManager } from 'typeorm';
import { changed } from './sql';

const BATCH = 1_000;

/**
 * Deletes the rows of a table that meet a condition, a thousand per statement, so that a backlog of any size stays within the statement
 * timeout and, outside a transaction, is deleted step by step. Rows that another transaction has locked stay until the next run.
 * The condition needs an index, because every statement searches again. Write `(SELECT app_now())` in it: a plain call is evaluated per
 * row and prevents the use of the index.
 * @param table SQL, never input.
 * @param condition SQL, never input.
 */
export async function deleteInBatches(manager: EntityManager, table: string, condition: string): Promise<void> {
  const batch = `SELECT ctid FROM ${table} WHERE ${condition} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`;
  const statement = `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(${batch}))`;
  for (let deleted = BATCH; deleted === BATCH;) deleted = await changed(manager, statement);
}
