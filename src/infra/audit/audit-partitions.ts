import { type ClientBase } from 'pg';

/** The time of the oldest audit event; null when there is none. */
export async function oldestEventAt(client: ClientBase): Promise<Date | null> {
  const { rows } = await client.query<{ at: Date | null }>('SELECT min(time) AS at FROM audit_event');
  return rows[0]?.at ?? null;
}

/** Creates the monthly partitions from `first` (null: now) up to three months from now. Existing ones stay. */
export async function addPartitionsSince(client: ClientBase, first: string | null): Promise<void> {
  const sql = `SELECT audit_add_partitions(coalesce($1::timestamptz, app_now()), app_now() + interval '3 months')`;
  await client.query(sql, [first]);
}
