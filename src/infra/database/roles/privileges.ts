/** A privilege on the rows of a table. */
export type Verb = 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE';

const READ_AND_CHANGE: readonly Verb[] = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'];
const READ_AND_APPEND: readonly Verb[] = ['SELECT', 'INSERT'];
const READ: readonly Verb[] = ['SELECT'];
const NOTHING: readonly Verb[] = [];

/**
 * The privileges of the application's role (docs/decisions/0019-two-database-roles.md). A table that is not listed may be read and
 * changed. The role has TRUNCATE, TRIGGER and REFERENCES on no table, and CREATE in no schema.
 */
export const TABLES_WITH_LESS: Readonly<Record<string, readonly Verb[]>> = {
  'public.audit_event': READ_AND_APPEND,
  'public.billing_statement': READ_AND_APPEND,
  'public.ledger_entry': READ_AND_APPEND,
  // Triggers and functions write these with the owner's privileges (docs/decisions/0016-audit-chain.md).
  'public.audit_anchor': READ,
  'public.audit_chain': READ,
  'public.audit_intake': NOTHING,
  // Migrations write these.
  'public.migration': READ,
  'graphile_worker.jobs': READ,
  'graphile_worker.migrations': READ,
};

/** The functions of `public` that the role may call. The others are internal, or for the owner. */
export const FUNCTIONS: readonly string[] = [
  'app_now',
  'audit_add_partitions',
  'audit_chain_id',
  'audit_drop_partitions',
  'audit_prune',
  'billing_now',
];

/** The service's schemas. */
export const SCHEMAS: readonly string[] = ['public', 'graphile_worker'];

/** A table in PostgreSQL's catalogue. */
export interface TableName {
  readonly schema: string;
  readonly name: string;
  /** True for a partition, which is used through its parent, with the parent's privileges. */
  readonly isPartition: boolean;
}

/** The privileges that the application's role should have on a table. */
export const verbsOn = ({ schema, name, isPartition }: TableName): readonly Verb[] =>
  isPartition ? NOTHING : (TABLES_WITH_LESS[`${schema}.${name}`] ?? READ_AND_CHANGE);
