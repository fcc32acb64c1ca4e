import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Records the change of the number of builds of a project. */
export class CountBuilds1796800008301 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TRIGGER build_count_inserted AFTER INSERT ON build REFERENCING NEW TABLE AS changed
        FOR EACH STATEMENT EXECUTE FUNCTION count_rows_of_project()`);
    await runner.query(`
      CREATE TRIGGER build_count_deleted AFTER DELETE ON build REFERENCING OLD TABLE AS changed
        FOR EACH STATEMENT EXECUTE FUNCTION count_rows_of_project()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TRIGGER build_count_deleted ON build`);
    await runner.query(`DROP TRIGGER build_count_inserted ON build`);
  }
}
