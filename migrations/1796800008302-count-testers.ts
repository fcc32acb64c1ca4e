import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Records the change of the number of testers of a project. */
export class CountTesters1796800008302 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TRIGGER tester_count_inserted AFTER INSERT ON tester REFERENCING NEW TABLE AS changed
        FOR EACH STATEMENT EXECUTE FUNCTION count_rows_of_project()`);
    await runner.query(`
      CREATE TRIGGER tester_count_deleted AFTER DELETE ON tester REFERENCING OLD TABLE AS changed
        FOR EACH STATEMENT EXECUTE FUNCTION count_rows_of_project()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TRIGGER tester_count_deleted ON tester`);
    await runner.query(`DROP TRIGGER tester_count_inserted ON tester`);
  }
}
