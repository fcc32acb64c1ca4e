import { type MigrationInterface, type QueryRunner } from 'typeorm';

const BATCH = 1000;

/** Ends the storage meters of artifacts in organizations' own storage, which a flip back to the hosted store has started. */
export class EndMetersOfOwnStorage1763670893000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (let ended = BATCH; ended === BATCH;) {
      const [row] = (await runner.query(`
        WITH own AS (
          SELECT i.id FROM storage_interval i JOIN build b ON b.id = i.build_id
          WHERE i.ended_at IS NULL AND b.storage_account <> 'hosted' LIMIT ${BATCH}),
        ended AS (
          UPDATE storage_interval SET ended_at = greatest(date_trunc('milliseconds', app_now()), started_at)
          WHERE id IN (SELECT id FROM own) AND ended_at IS NULL RETURNING 1)
        SELECT count(*)::int AS ended FROM ended`)) as { ended: number }[];
      ended = row?.ended ?? 0;
    }
  }

  async down(): Promise<void> {
    // Nothing: the meters were wrong.
  }
}
