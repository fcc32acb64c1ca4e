/** What a role may do with the rows of a table. */
export type Verb = 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE';

const READ_AND_CHANGE: readonly Verb[] = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'];
const READ_AND_APPEND: readonly Verb[] = ['SELECT', 'INSERT'];
const READ: readonly Verb[] = ['SELECT'];
const NOTHING: readonly Verb[] = [];

/**
 * THE list of what the role that the service runs as may do (decision 19). A table that is not named may be read and changed;
 * to none of them does TRUNCATE, TRIGGER or REFERENCES belong, and to no schema CREATE.
 */
export const TABLES_WITH_LESS: Readonly<Record<string, readonly Verb[]>> = {
  'public.audit_event': READ_AND_APPEND,
  'public.billing_statement': READ_AND_APPEND,
  'public.ledger_entry': READ_AND_APPEND,
  // Written by triggers and functions, with the owner's rights (decision 16).
  'public.audit_anchor': READ,
  'public.audit_chain': READ,
  'public.audit_intake': NOTHING,
  // Written by migrations.
  'public.migration': READ,
  'graphile_worker.jobs': READ,
  'graphile_worker.migrations': READ,
};

/** The functions of `public` that the role may call; the others are parts of these, of triggers, or for the owner. */
export const FUNCTIONS: readonly string[] = [
  'app_now',
  'audit_add_partitions',
  'audit_chain_id',
  'audit_drop_partitions',
  'audit_prune',
];

/** The schemas that belong to the service. */
export const SCHEMAS: readonly string[] = ['public', 'graphile_worker'];

/** A table as PostgreSQL's catalogue knows it. */
export interface TableName {
  readonly schema: string;
  readonly name: string;
  /** A part of another table: reached through that, with that one's privileges. */
  readonly isPartition: boolean;
}

/** What the application's role may do with a table. */
export const verbsOn = ({ schema, name, isPartition }: TableName): readonly Verb[] =>
  isPartition ? NOTHING : (TABLES_WITH_LESS[`${schema}.${name}`] ?? READ_AND_CHANGE);
