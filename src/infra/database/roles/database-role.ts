import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Logger } from '#infra/logging/logger';
import { FUNCTIONS, SCHEMAS, type TableName, verbsOn } from './privileges';

/** What the role that this process runs as can do, against what it should. */
export interface RoleReport {
  readonly role: string;
  /** What it needs and may not: these requests will fail. */
  readonly lacks: readonly string[];
  /** What a role of the application has no use for, but whoever steals its password has. */
  readonly mayToo: readonly string[];
}

interface TableRow extends TableName {
  readonly verbs: readonly string[];
  readonly isOwner: boolean;
}

const ROLE = `
  SELECT current_user AS role, array(SELECT nspname::text FROM pg_namespace
    WHERE nspname = ANY ($1) AND has_schema_privilege(oid, 'CREATE')) AS "createsIn"`;

/** By whatever way it comes to a privilege: its own, everybody's, or that of a role it belongs to. */
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

/** The role of DATABASE_URL: whether it may do what the service needs, and no more (decision 19). */
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
    const missing = tables.flatMap((table) => shortOf(table, verbsOn(table), table.verbs));
    const surplus = tables.flatMap((table) => shortOf(table, table.verbs, verbsOn(table)));
    return {
      role,
      lacks: [...missing, ...closed.map(({ name }) => `EXECUTE on public.${name}`)],
      mayToo: [
        ...createsIn.map((schema) => `CREATE in ${schema}`),
        ...(tables.some(({ isOwner }) => isOwner) ? ['ALTER and DROP'] : []),
        ...surplus,
      ],
    };
  }

  /** Says at the start what is wrong with the role: what it lacks always, what it has too much of where it matters. */
  async reportFaults({ inProduction }: { inProduction: boolean }): Promise<void> {
    const { role, lacks, mayToo } = await this.report();
    if (lacks.length > 0) {
      this.logger.error(
        { role, lacks },
        'The database role lacks privileges: start once with DATABASE_OWNER_URL (docs/operations.md, "Two database roles")',
      );
    }
    if (inProduction && mayToo.length > 0) {
      this.logger.warn(
        { role, mayToo: mayToo.slice(0, 5) },
        'The database role could change the audit feed, the ledger or the schema. Give the service a role of its own in ' +
          'DATABASE_URL and name the owner in DATABASE_OWNER_URL (docs/operations.md, "Two database roles")',
      );
    }
  }
}

/** What `wanted` has and `held` has not, for people. */
function shortOf({ schema, name }: TableName, wanted: readonly string[], held: readonly string[]): string[] {
  const verbs = wanted.filter((verb) => !held.includes(verb));
  return verbs.length > 0 ? [`${verbs.join(', ')} on ${schema}.${name}`] : [];
}
