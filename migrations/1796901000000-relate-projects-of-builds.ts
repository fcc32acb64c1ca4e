import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Tells the planner that a project has one organization. It would otherwise multiply the frequencies of both, expect few of a large project's
 * rows, and read and sort all of them where an index has the few that are wanted. Reads and writes do not wait for it. An empty table is not
 * analyzed, because the planner would take it for empty until the next analysis.
 */
export class RelateProjectsOfBuilds1796901000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE STATISTICS st_build_project (dependencies) ON organization_id, project_id FROM build`);
    const [first] = (await runner.query(`SELECT FROM build LIMIT 1`)) as unknown[];
    if (first) await runner.query(`ANALYZE build`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP STATISTICS st_build_project`);
  }
}
