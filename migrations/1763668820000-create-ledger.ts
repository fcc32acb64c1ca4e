import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Billing accounts with balance and cap, and the ledger whose sum is the balance. */
export class CreateLedger1763668820000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE billing_account
        ADD plan_since timestamptz(3) NOT NULL DEFAULT app_now(),
        ADD balance_micro_usd bigint NOT NULL DEFAULT 0,
        ADD reserved_micro_usd bigint NOT NULL DEFAULT 0,
        ADD spend_cap_micro_usd bigint,
        ADD budget_alert_percents integer[] NOT NULL DEFAULT '{50,80,100}',
        ADD spent_micro_usd bigint NOT NULL DEFAULT 0,
        ADD spent_period text NOT NULL DEFAULT to_char(app_now() AT TIME ZONE 'UTC', 'YYYY-MM'),
        ADD alerted_percent integer NOT NULL DEFAULT 0,
        ADD open_period text NOT NULL DEFAULT to_char(app_now() AT TIME ZONE 'UTC', 'YYYY-MM'),
        ADD metered boolean NOT NULL DEFAULT true,
        ADD fee_waived boolean NOT NULL DEFAULT false,
        ADD CONSTRAINT ck_billing_account_amounts
          CHECK (reserved_micro_usd >= 0 AND spent_micro_usd >= 0 AND spend_cap_micro_usd >= 0),
        ADD CONSTRAINT ck_billing_account_periods CHECK (open_period <= spent_period)`);
    await runner.query(`CREATE INDEX ix_billing_account_open_period ON billing_account (open_period)`);
    const columns = [
      'plan_since',
      'balance_micro_usd',
      'reserved_micro_usd',
      'budget_alert_percents',
      'spent_micro_usd',
      'spent_period',
      'alerted_percent',
      'open_period',
      'metered',
      'fee_waived',
    ];
    await runner.query(
      `ALTER TABLE billing_account ${columns.map((column) => `ALTER ${column} DROP DEFAULT`).join(', ')}`,
    );

    // No foreign keys, because the ledger survives the organization.
    await runner.query(`
      CREATE TABLE ledger_entry (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        kind text NOT NULL,
        amount_micro_usd bigint NOT NULL,
        quantity numeric,
        period text NOT NULL,
        reference text NOT NULL,
        created_at timestamptz(3) NOT NULL,
        CONSTRAINT pk_ledger_entry PRIMARY KEY (id),
        CONSTRAINT uq_ledger_entry_reference UNIQUE (organization_id, kind, reference),
        CONSTRAINT ck_ledger_entry_quantity CHECK (quantity >= 0 AND (quantity IS NOT NULL) = (kind LIKE 'usage_%'))
      )`);
    await runner.query(`CREATE INDEX ix_ledger_entry_organization ON ledger_entry (organization_id, id)`);
    await runner.query(`CREATE INDEX ix_ledger_entry_period ON ledger_entry (organization_id, period)`);
    await runner.query(`
      CREATE TRIGGER ledger_entry_append_only BEFORE UPDATE OR DELETE ON ledger_entry
      FOR EACH ROW EXECUTE FUNCTION refuse_change()`);
    await runner.query(`
      CREATE TRIGGER ledger_entry_no_truncate BEFORE TRUNCATE ON ledger_entry
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`);

    await runner.query(`
      ALTER TABLE reservation
        ADD amount_micro_usd bigint NOT NULL DEFAULT 0,
        ADD metered boolean NOT NULL DEFAULT true,
        ADD CONSTRAINT ck_reservation_amount CHECK (amount_micro_usd >= 0 AND (metered OR amount_micro_usd = 0)),
        DROP CONSTRAINT ck_reservation_state,
        ADD CONSTRAINT ck_reservation_state CHECK (state IN ('active', 'settled', 'released', 'expired'))`);
    await runner.query(`ALTER TABLE reservation ALTER amount_micro_usd DROP DEFAULT, ALTER metered DROP DEFAULT`);
    await runner.query(
      `CREATE INDEX ix_reservation_expiry ON reservation (organization_id, expires_at) WHERE state = 'active'`,
    );
    await runner.query(`CREATE INDEX ix_reservation_resolved_at ON reservation (resolved_at)`);

    // Existing organizations get the trial credit of a new organization.
    await runner.query(`
      WITH entry AS (
        INSERT INTO ledger_entry (id, organization_id, kind, amount_micro_usd, period, reference, created_at)
        SELECT gen_random_uuid(), organization_id, 'trial_credit', 5000000, open_period, 'opening', app_now()
        FROM billing_account WHERE plan = 'team' RETURNING organization_id, amount_micro_usd)
      UPDATE billing_account a SET balance_micro_usd = entry.amount_micro_usd
      FROM entry WHERE a.organization_id = entry.organization_id`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ix_reservation_expiry, ix_reservation_resolved_at`);
    await runner.query(`UPDATE reservation SET state = 'released' WHERE state = 'expired'`);
    await runner.query(`
      ALTER TABLE reservation DROP CONSTRAINT ck_reservation_amount, DROP amount_micro_usd, DROP metered,
        DROP CONSTRAINT ck_reservation_state,
        ADD CONSTRAINT ck_reservation_state CHECK (state IN ('active', 'settled', 'released'))`);
    await runner.query(`DROP TABLE ledger_entry`);
    await runner.query(`DROP INDEX ix_billing_account_open_period`);
    await runner.query(`
      ALTER TABLE billing_account DROP CONSTRAINT ck_billing_account_amounts, DROP CONSTRAINT ck_billing_account_periods,
        DROP plan_since, DROP balance_micro_usd, DROP reserved_micro_usd, DROP spend_cap_micro_usd,
        DROP budget_alert_percents, DROP spent_micro_usd, DROP spent_period, DROP alerted_percent, DROP open_period,
        DROP metered, DROP fee_waived`);
  }
}
