import { type RequestContext } from './context/request-context';

/** One file of an account export: a JSON array with one object per row. */
export interface ExportedFile {
  /** The name without `.json`. */
  readonly name: string;
  readonly describe: string;
  /** Every table that the statement reads. */
  readonly tables: readonly string[];
  /** Lists its columns one by one, so that a new column is never exported by accident. `$1` is the id of the organization or developer. */
  readonly sql: string;
  /**
   * Expressions of SQL that together are different for each row, and never change. The file is read in their order, so an index should have
   * it. `['id']` by default.
   */
  readonly key?: readonly string[];
  /** The column of a joined table that equals the first expression of the key. */
  readonly parent?: string;
  /** A column of personal data that is stored encrypted, and is exported opened. */
  readonly sealed?: SealedExport;
}

export interface SealedExport {
  /** The column of the statement with the sealed value, which the file does not contain. */
  readonly column: string;
  /** The name of the opened text in the file. */
  readonly as: string;
  /** The sealing context of the row with this `id`. */
  readonly contextOf: (id: string) => string;
}

/** The files that a module contributes to account exports. They show the module's own tables. A read model adds those that join others. */
export interface ExportedFiles {
  readonly organization?: readonly ExportedFile[];
  readonly developer?: readonly ExportedFile[];
}

interface ExportedTable extends Pick<ExportedFile, 'key'> {
  readonly from: string;
  readonly columns: string;
  /** Selects rows by `$1`. */
  readonly where: string;
}

/** A file with the named columns of one table. */
export const exportedTable = (
  name: string,
  describe: string,
  { from, columns, where, ...key }: ExportedTable,
): ExportedFile => ({ name, describe, tables: [from], sql: `SELECT ${columns} FROM ${from} WHERE (${where})`, ...key });

/** The numbers of rows that an erasure of an organization will delete. */
export interface OrganizationSize {
  readonly projects: number;
  readonly builds: number;
  readonly buildBytes: number;
  readonly testers: number;
  readonly members: number;
}

/**
 * A module's part in the erasure of an organization or a developer: it deletes the rows of its own tables. The module
 * `account-data` runs the parts in the order that the foreign keys need. Each step can run again after an interruption.
 */
export interface AccountErasure {
  /** Counts the rows of this module. The operator sees the numbers when the command asks for confirmation. */
  measure?(ctx: RequestContext, organizationId: string): Promise<Partial<OrganizationSize>>;
  /** First transaction: revokes access and lets running work expire. */
  endAccess?(tx: RequestContext, organizationId: string): Promise<void>;
  /**
   * Tables with many rows: `erase` deletes a limited number of rows and returns that number. It is called, each time in a separate
   * transaction, until it returns 0.
   */
  readonly batches?: {
    readonly of: 'builds' | 'testers';
    readonly erase: (tx: RequestContext, organizationId: string) => Promise<number>;
  };
  /** Counts background work that still needs the organization's own storage account. */
  countPending?(ctx: RequestContext, organizationId: string): Promise<number>;
  /** Last transaction: deletes all remaining rows. */
  eraseRest?(tx: RequestContext, organizationId: string): Promise<void>;
  /** Deletes rows about a developer that no foreign key deletes with the account. */
  eraseDeveloper?(tx: RequestContext, developerId: string): Promise<void>;
}
