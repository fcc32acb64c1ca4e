import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Logger } from '#infra/logging/logger';
import { FUNCTIONS, SCHEMAS, type TableName, verbsOn } from './privileges';

/** The privileges of this process's role, compared with the list in `privileges.ts`. */
export interface RoleReport {
  readonly role: string;
  /** Missing privileges. Requests that need them fail. */
  readonly missing: readonly string[];
  /** Privileges that the application does not need, and that a stolen password would give away. */
  readonly surplus: readonly string[];
}

interface TableRow extends TableName {
  readonly verbs: readonly string[];
  readonly isOwner: boolean;
}

const ROLE = `
  SELECT current_user AS role, array(SELECT nspname::text FROM pg_namespace
    WHERE nspname = ANY ($1) AND has_schema_privilege(oid, 'CREATE')) AS "createsIn"`;

/** Counts privileges of the role itself, of PUBLIC and of roles that it is a member of. */
const TABLES = `
  SELECT nspname AS schema, relname AS name, relispartition AS "isPartition", pg_has_role(relowner, 'MEMBER') AS "isOwner",
         array(SELECT verb FROM unnest('{SELECT,INSERT,UPDATE,DELETE,TRUNCATE,TRIGGER}'::text[]) AS verb
           WHERE has_table_privilege(c.oid, verb)) AS verbs
  FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = relnamespace
  WHERE nspname = ANY ($1) AND has_schema_privilege(n.oid, 'USAGE') AND relkind IN ('r', 'p', 'v')
  ORDER BY 1, 2`;

const CLOSED_FUNCTIONS = `
  SELECT proname AS name FROM pg_proc
  WHERE pronamespace = 'public'::regnamespace AND proname = ANY ($1) AND NOT has_function_privilege(oid, 'EXECUTE')
  ORDER BY 1`;

/** Compares the role of DATABASE_URL with what the service needs (docs/decisions/0019-two-database-roles.md). */
@Injectable()
export class DatabaseRole {
  constructor(
    private readonly dataSource: DataSource,
    private readonly logger: Logger,
  ) {}

  async report(): Promise<RoleReport> {
    const [{ role, createsIn }] = await this.dataSource.query<[{ role: string; createsIn: string[] }]>(ROLE, [SCHEMAS]);
    const tables = await this.dataSource.query<TableRow[]>(TABLES, [SCHEMAS]);
    const closed = await this.dataSource.query<{ name: string }[]>(CLOSED_FUNCTIONS, [FUNCTIONS]);
    const missing = tables.flatMap((table) => difference(table, verbsOn(table), table.verbs));
    const surplus = tables.flatMap((table) => difference(table, table.verbs, verbsOn(table)));
    return {
      role,
      missing: [...missing, ...closed.map(({ name }) => `EXECUTE on public.${name}`)],
      surplus: [
        ...createsIn.map((schema) => `CREATE in ${schema}`),
        ...(tables.some(({ isOwner }) => isOwner) ? ['ALTER and DROP'] : []),
        ...surplus,
      ],
    };
  }

  /** Logs missing privileges, and surplus privileges in production. Called at the start. */
  async reportFaults({ inProduction }: { inProduction: boolean }): Promise<void> {
    const { role, missing, surplus } = await this.report();
    if (missing.length > 0) {
      this.logger.error(
        { role, missing },
        'The database role lacks privileges. Start once with DATABASE_OWNER_URL (docs/operations.md, "Two database roles")',
      );
    }
    if (inProduction && surplus.length > 0) {
      this.logger.warn(
        { role, surplus: surplus.slice(0, 5) },
        'The database role can change the audit feed, the ledger or the schema. Give the service a role of its own in ' +
          'DATABASE_URL and name the owner in DATABASE_OWNER_URL (docs/operations.md, "Two database roles")',
      );
    }
  }
}

/** The privileges in `wanted` that are not in `held`, as text. */
function difference({ schema, name }: TableName, wanted: readonly string[], held: readonly string[]): string[] {
  const verbs = wanted.filter((verb) => !held.includes(verb));
  return verbs.length > 0 ? [`${verbs.join(', ')} on ${schema}.${name}`] : [];
}
