import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Remembers the hosted store, so that a start with another one is noticed. */
export class CreateHostedStore1763669893004 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE hosted_store (
        id smallint NOT NULL DEFAULT 1,
        provider text NOT NULL,
        place text NOT NULL,
        recorded_at timestamptz(3) NOT NULL,
        CONSTRAINT pk_hosted_store PRIMARY KEY (id),
        CONSTRAINT ck_hosted_store_single CHECK (id = 1)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE hosted_store`);
  }
}
