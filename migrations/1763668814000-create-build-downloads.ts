import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The download log, one row per used ticket, and the download counts of a build. */
export class CreateBuildDownloads1763668814000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Tickets of the previous version name no downloader. They expire after half an hour.
    await runner.query(`
      ALTER TABLE download_ticket
        ADD COLUMN minted_by_kind text NOT NULL DEFAULT 'anonymous',
        ADD COLUMN minted_by_id uuid,
        ADD COLUMN tester_id uuid,
        ADD COLUMN channel_id uuid`);
    await runner.query(`
      ALTER TABLE build
        ADD COLUMN downloads_total integer NOT NULL DEFAULT 0,
        ADD COLUMN downloads_unique_testers integer NOT NULL DEFAULT 0,
        ADD CONSTRAINT ck_build_downloads CHECK (downloads_unique_testers BETWEEN 0 AND downloads_total)`);
    // Only the build has a foreign key: tickets are deleted after a day, and an erased tester's id stays.
    await runner.query(`
      CREATE TABLE build_download (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        project_id uuid NOT NULL,
        build_id uuid NOT NULL,
        ticket_id uuid NOT NULL,
        minted_by_kind text NOT NULL,
        minted_by_id uuid,
        tester_id uuid,
        channel_id uuid,
        device_family text NOT NULL,
        started_at timestamptz(3) NOT NULL,
        completed_at timestamptz(3),
        served_bytes bigint,
        served_ranges int8multirange NOT NULL DEFAULT '{}',
        CONSTRAINT pk_build_download PRIMARY KEY (id),
        CONSTRAINT uq_build_download_ticket UNIQUE (ticket_id),
        CONSTRAINT fk_build_download_build
          FOREIGN KEY (organization_id, project_id, build_id) REFERENCES build (organization_id, project_id, id) ON DELETE CASCADE,
        CONSTRAINT ck_build_download_device_family
          CHECK (device_family IN ('iphone', 'ipad', 'android', 'mac', 'windows', 'linux', 'other'))
      )`);
    await runner.query(`CREATE INDEX ix_build_download_build ON build_download (build_id, id)`);
    await runner.query(`CREATE INDEX ix_build_download_tester ON build_download (build_id, tester_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE build_download`);
    await runner.query(`
      ALTER TABLE build DROP CONSTRAINT ck_build_downloads,
        DROP COLUMN downloads_unique_testers, DROP COLUMN downloads_total`);
    await runner.query(`
      ALTER TABLE download_ticket
        DROP COLUMN channel_id, DROP COLUMN tester_id, DROP COLUMN minted_by_id, DROP COLUMN minted_by_kind`);
  }
}
