import { type MigrationInterface, type QueryRunner } from 'typeorm';

const BATCH = 1000;

/** Gives accounts that have the former default of the budget alerts the present one. */
export class AlertAtNinetyPercent1763670893001 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (let changed = BATCH; changed === BATCH;) {
      const [row] = (await runner.query(`
        WITH old AS (
          SELECT organization_id FROM billing_account WHERE budget_alert_percents = '{50,80,100}' LIMIT ${BATCH}),
        changed AS (
          UPDATE billing_account SET budget_alert_percents = '{50,80,90,100}'
          WHERE organization_id IN (SELECT organization_id FROM old) AND budget_alert_percents = '{50,80,100}' RETURNING 1)
        SELECT count(*)::int AS changed FROM changed`)) as { changed: number }[];
      changed = row?.changed ?? 0;
    }
  }

  async down(): Promise<void> {
    // Nothing: the previous release accepts these percentages too.
  }
}
