import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** A new channel has no subscribers. */
export class BeginCountsOfChannels1796800008305 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TRIGGER channel_begin_counts AFTER INSERT ON channel REFERENCING NEW TABLE AS added
        FOR EACH STATEMENT EXECUTE FUNCTION begin_row_counts('subscription')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TRIGGER channel_begin_counts ON channel`);
  }
}
