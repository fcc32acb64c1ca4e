import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The progress of work over all organizations, by which a killed process continues. */
export class CreateShardCursors1796800008200 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE shard_cursor (
        task text NOT NULL,
        shard smallint NOT NULL,
        run text NOT NULL,
        after_id uuid NOT NULL,
        CONSTRAINT pk_shard_cursor PRIMARY KEY (task, shard)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE shard_cursor`);
  }
}
