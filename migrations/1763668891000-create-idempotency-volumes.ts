import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Counts the bytes of stored idempotent responses per subject and hour, so that they can be limited. */
export class CreateIdempotencyVolumes1763668891000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE idempotency_volume (
        owner bytea NOT NULL,
        hour timestamptz(3) NOT NULL,
        size_bytes bigint NOT NULL,
        CONSTRAINT pk_idempotency_volume PRIMARY KEY (owner, hour),
        CONSTRAINT ck_idempotency_volume_size CHECK (size_bytes > 0)
      )`);
    await runner.query(`CREATE INDEX ix_idempotency_volume_hour ON idempotency_volume (hour)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE idempotency_volume`);
  }
}
