import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** A build or channel may have several links. The previous release creates only the default one. */
export class AddNamesToInvites1796900100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE invite
        ADD COLUMN name text,
        ADD COLUMN is_default boolean NOT NULL DEFAULT true,
        ADD COLUMN rule_version integer`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM invite WHERE NOT is_default`);
    await runner.query(`ALTER TABLE invite DROP COLUMN name, DROP COLUMN is_default, DROP COLUMN rule_version`);
  }
}
