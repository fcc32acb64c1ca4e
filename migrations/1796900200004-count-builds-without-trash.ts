import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * The number of builds of a project is without those in the trash. The trigger of updates runs for each row, because its condition then costs
 * the updates of download counters nothing.
 */
export class CountBuildsWithoutTrash1796900200004 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION count_deleted_builds() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
        SET search_path = public, pg_temp AS $$
      BEGIN
        INSERT INTO row_count_change (id, counted, parent_id, change)
        SELECT gen_random_uuid(), 'build', project_id, -count(*) FROM changed WHERE deleted_at IS NULL GROUP BY project_id;
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE FUNCTION count_trashed_build() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
        SET search_path = public, pg_temp AS $$
      BEGIN
        INSERT INTO row_count_change (id, counted, parent_id, change)
        VALUES (gen_random_uuid(), 'build', NEW.project_id, CASE WHEN NEW.deleted_at IS NULL THEN 1 ELSE -1 END);
        RETURN NULL;
      END $$`);
    await runner.query(`DROP TRIGGER build_count_deleted ON build`);
    await runner.query(`
      CREATE TRIGGER build_count_deleted AFTER DELETE ON build REFERENCING OLD TABLE AS changed
        FOR EACH STATEMENT EXECUTE FUNCTION count_deleted_builds()`);
    await runner.query(`
      CREATE TRIGGER build_count_trashed AFTER UPDATE OF deleted_at ON build FOR EACH ROW
        WHEN ((OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL)) EXECUTE FUNCTION count_trashed_build()`);
  }

  /** Restores the builds in the trash, because the previous release has none. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`UPDATE build SET deleted_at = NULL WHERE deleted_at IS NOT NULL`);
    await runner.query(`DROP TRIGGER build_count_trashed ON build`);
    await runner.query(`DROP TRIGGER build_count_deleted ON build`);
    await runner.query(`
      CREATE TRIGGER build_count_deleted AFTER DELETE ON build REFERENCING OLD TABLE AS changed
        FOR EACH STATEMENT EXECUTE FUNCTION count_rows_of_project()`);
    await runner.query(`DROP FUNCTION count_trashed_build, count_deleted_builds`);
  }
}
