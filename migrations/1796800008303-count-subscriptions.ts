import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Records the change of the number of subscribers of a channel. */
export class CountSubscriptions1796800008303 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TRIGGER subscription_count_inserted AFTER INSERT ON subscription REFERENCING NEW TABLE AS changed
        FOR EACH STATEMENT EXECUTE FUNCTION count_rows_of_channel()`);
    await runner.query(`
      CREATE TRIGGER subscription_count_deleted AFTER DELETE ON subscription REFERENCING OLD TABLE AS changed
        FOR EACH STATEMENT EXECUTE FUNCTION count_rows_of_channel()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TRIGGER subscription_count_deleted ON subscription`);
    await runner.query(`DROP TRIGGER subscription_count_inserted ON subscription`);
  }
}
