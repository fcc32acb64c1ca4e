import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** A new project has no builds and no testers. */
export class BeginCountsOfProjects1796800008304 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TRIGGER project_begin_counts AFTER INSERT ON project REFERENCING NEW TABLE AS added
        FOR EACH STATEMENT EXECUTE FUNCTION begin_row_counts('build', 'tester')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TRIGGER project_begin_counts ON project`);
  }
}
