import { type EntityManager } from 'typeorm';

const BATCH = 1_000;

/**
 * Deletes the rows of a table that meet a condition, a thousand to a statement until none is left, so that a backlog of any
 * size keeps within the statement's limit and, outside a transaction, keeps what it has done. Rows that others hold stay for
 * the next time. The condition wants an index: each statement looks for its rows anew.
 * `app_now()` is asked in a sub-select there, once: asked for each row, it would keep the index from being used.
 * @param table and @param condition are SQL, never input.
 */
export async function deleteInBatches(manager: EntityManager, table: string, condition: string): Promise<void> {
  const batch = `SELECT ctid FROM ${table} WHERE ${condition} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`;
  const statement = `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(${batch}))`;
  for (let deleted = BATCH; deleted === BATCH;) [, deleted] = await manager.query<[unknown, number]>(statement);
}
