import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Kept numbers of rows. A trigger adds a row per statement instead of changing a number, so that transactions do not wait for each other.
 * The functions run with the owner's privileges, because processes of the previous release have none on the new tables.
 */
export class CreateRowCounts1796800008300 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE row_count (
        counted text NOT NULL,
        parent_id uuid NOT NULL,
        rows integer NOT NULL,
        CONSTRAINT pk_row_count PRIMARY KEY (parent_id, counted)
      )`);
    await runner.query(`
      CREATE TABLE row_count_change (
        id uuid NOT NULL,
        counted text NOT NULL,
        parent_id uuid NOT NULL,
        change integer NOT NULL,
        CONSTRAINT pk_row_count_change PRIMARY KEY (parent_id, counted, id)
      )`);
    for (const parent of ['project', 'channel'])
      await runner.query(`
        CREATE FUNCTION count_rows_of_${parent}() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
          SET search_path = public, pg_temp AS $$
        BEGIN
          INSERT INTO row_count_change (id, counted, parent_id, change)
          SELECT gen_random_uuid(), TG_TABLE_NAME, ${parent}_id, CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END
          FROM changed GROUP BY ${parent}_id;
          RETURN NULL;
        END $$`);
    await runner.query(`
      CREATE FUNCTION begin_row_counts() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
        SET search_path = public, pg_temp AS $$
      BEGIN
        INSERT INTO row_count (counted, parent_id, rows)
        SELECT counted, added.id, 0 FROM added CROSS JOIN unnest(TG_ARGV[:]) AS counted ON CONFLICT DO NOTHING;
        RETURN NULL;
      END $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP FUNCTION begin_row_counts, count_rows_of_channel, count_rows_of_project`);
    await runner.query(`DROP TABLE row_count_change, row_count`);
  }
}
