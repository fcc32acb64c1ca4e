import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Statements, which close billing periods, and top-ups. */
export class CreateStatementsAndTopUps1763668822000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // No foreign key, because a statement survives the organization, like the ledger.
    await runner.query(`
      CREATE TABLE billing_statement (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        period text NOT NULL,
        plan text NOT NULL,
        opening_balance_micro_usd bigint NOT NULL,
        credits_micro_usd bigint NOT NULL,
        fees_micro_usd bigint NOT NULL,
        storage_micro_usd bigint NOT NULL,
        upload_micro_usd bigint NOT NULL,
        download_micro_usd bigint NOT NULL,
        closing_balance_micro_usd bigint NOT NULL,
        storage_byte_ms numeric NOT NULL,
        upload_bytes numeric NOT NULL,
        download_bytes numeric NOT NULL,
        created_at timestamptz(3) NOT NULL,
        CONSTRAINT pk_billing_statement PRIMARY KEY (id),
        CONSTRAINT uq_billing_statement_period UNIQUE (organization_id, period),
        CONSTRAINT ck_billing_statement_sum CHECK (closing_balance_micro_usd = opening_balance_micro_usd + credits_micro_usd
          - fees_micro_usd - storage_micro_usd - upload_micro_usd - download_micro_usd)
      )`);
    await runner.query(`
      CREATE TRIGGER billing_statement_append_only BEFORE UPDATE OR DELETE ON billing_statement
      FOR EACH ROW EXECUTE FUNCTION refuse_change()`);
    await runner.query(`
      CREATE TRIGGER billing_statement_no_truncate BEFORE TRUNCATE ON billing_statement
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`);
    await runner.query(`
      CREATE TABLE top_up (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        amount_micro_usd bigint NOT NULL,
        provider text NOT NULL,
        state text NOT NULL,
        payment_reference text,
        checkout_url text,
        requested_by uuid,
        created_at timestamptz(3) NOT NULL,
        paid_at timestamptz(3),
        CONSTRAINT pk_top_up PRIMARY KEY (id),
        CONSTRAINT uq_top_up_payment UNIQUE (provider, payment_reference),
        CONSTRAINT fk_top_up_account
          FOREIGN KEY (organization_id) REFERENCES billing_account (organization_id) ON DELETE CASCADE,
        CONSTRAINT ck_top_up_amount CHECK (amount_micro_usd > 0),
        CONSTRAINT ck_top_up_provider CHECK (provider IN ('manual', 'stripe')),
        CONSTRAINT ck_top_up_state CHECK (state IN ('pending', 'paid')),
        CONSTRAINT ck_top_up_paid CHECK ((state = 'paid') = (paid_at IS NOT NULL))
      )`);
    await runner.query(`CREATE INDEX ix_top_up_organization ON top_up (organization_id, id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE top_up`);
    await runner.query(`DROP TABLE billing_statement`);
  }
}
