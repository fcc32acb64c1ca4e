import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { ONE_PLAN } from '#infra/database/pool/statement-names';
import { escapeLike, one } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { LIVE } from '#modules/builds';
import { type Found } from './found';

/** A search and its bounds. */
export interface SearchRequest {
  readonly organizationId: string;
  /** The projects to search; null for all of the organization. */
  readonly projectIds: readonly string[] | null;
  readonly words: readonly string[];
}

/** Results of each kind. */
const RESULTS = 5;

/** The maximum number of rows of each kind that a search reads, so that it is short in an organization of any size. */
const NEWEST = 5_000;

/**
 * The parameters of the statements are the organization ($1), the patterns ($2), the whole text for the order ($3) and the projects ($4),
 * which is absent when all are searched. PostgreSQL folds the case of patterns and texts alike, once for the whole search.
 */
const GIVEN = `
  WITH given AS (
    SELECT ARRAY(SELECT lower(pattern) FROM unnest($2::text[]) AS pattern) AS patterns, lower($3::text) AS text)`;
const PATTERNS = '((SELECT patterns FROM given)::text[])';
const TEXT = '(SELECT text FROM given)';

/** Each word may also be in the project's name, but at least one must be in the text itself. */
const MATCHES = `found.searched || ' ' || lower(p.name) LIKE ALL ${PATTERNS} AND found.searched LIKE ANY ${PATTERNS}`;

/** Exact matches come first, then matches at the start, then the newest. */
const byQuality = (text: string, id: string): string =>
  `(lower(${text}) = ${TEXT}) DESC, starts_with(lower(${text}), ${TEXT}) DESC, ${id} DESC LIMIT ${RESULTS}`;

/** A table whose rows belong to projects. */
interface Searched {
  readonly table: string;
  /** The columns of the result. */
  readonly columns: string;
  /** SQL of the columns in which the words are searched. */
  readonly texts: string;
  /** The column that decides the order. */
  readonly main: string;
  /** The order of an index that begins with the organization. */
  readonly newest: string;
  /** A condition that the rows must meet. */
  readonly where?: string;
}

/**
 * Searches the newest rows of the organization, or equal shares of the newest rows of each of some projects: the rows of other projects are
 * not read to find them. The ids are read alone, from the index that begins with the organization. To read the rows with them, PostgreSQL
 * could read the newest rows of the whole table instead. With `OFFSET 0` each text is folded once.
 */
const inProjects =
  ({ table, columns, texts, main, newest, where = 'true' }: Searched) =>
  (ofSome: boolean): string => {
    const ids = `SELECT id FROM ${table} WHERE organization_id = $1`;
    const share = `greatest(1, ${NEWEST} / cardinality($4::uuid[]))`;
    const read = ofSome
      ? `SELECT ids.id FROM unnest($4::uuid[]) AS project (id)
         CROSS JOIN LATERAL (${ids} AND project_id = project.id ORDER BY id DESC LIMIT ${share}) AS ids`
      : `${ids} ORDER BY ${newest} LIMIT ${NEWEST}`;
    return `
      SELECT found.id, project_id AS "projectId", p.name AS "projectName", ${columns}
      FROM (
        SELECT *, lower(concat_ws(' ', ${texts})) AS searched FROM ${table} WHERE id = ANY (ARRAY(${read})) AND ${where} OFFSET 0
      ) AS found JOIN project AS p ON p.id = project_id
      WHERE ${MATCHES} ORDER BY ${byQuality(main, 'found.id')}`;
  };

/** The statement of each kind. It reads a bounded number of rows. */
const STATEMENTS: Readonly<Record<keyof Found, (ofSome: boolean) => string>> = {
  projects: (ofSome) => `
    SELECT id, name FROM project
    WHERE organization_id = $1 ${ofSome ? 'AND id = ANY ($4::uuid[])' : ''} AND lower(name) LIKE ALL ${PATTERNS}
    ORDER BY ${byQuality('name', 'id')}`,
  builds: inProjects({
    table: 'build',
    columns: 'platform, version, build_number AS "buildNumber", branch, uploaded_at AS "uploadedAt"',
    texts: 'version, build_number, file_name, branch, commit, platform',
    main: 'version',
    newest: 'id DESC',
    where: LIVE,
  }),
  channels: inProjects({
    table: 'channel',
    columns: 'found.name',
    texts: 'name',
    main: 'found.name',
    newest: 'project_id DESC, id DESC',
  }),
  testers: inProjects({
    table: 'tester',
    columns: 'found.name, email',
    texts: 'email, name',
    main: 'email',
    newest: 'id DESC',
  }),
};

/** The rows that each kind's statement found, as JSON: times are text. Null when it found none. */
type FoundRow = {
  readonly [Kind in keyof Found]?: Found[Kind] | null;
};

/** Searches the tables of several modules. */
@Injectable()
export class SearchRepository {
  constructor(private readonly transactions: Transactions) {}

  /** Searches all kinds in one statement, so that a search needs one connection. @param kinds at least one. Others are empty. */
  async find(
    ctx: RequestContext,
    { organizationId, projectIds, words }: SearchRequest,
    kinds: readonly (keyof Found)[],
  ): Promise<Found> {
    const columns = kinds.map(
      (kind) => `(SELECT json_agg(found) FROM (${STATEMENTS[kind](projectIds !== null)}) AS found) AS ${kind}`,
    );
    const patterns = words.map((word) => `%${escapeLike(word)}%`);
    const values = [organizationId, patterns, words.join(' '), ...(projectIds ? [projectIds] : [])];
    const found = await one<FoundRow>(
      this.transactions.manager(ctx),
      `${GIVEN} SELECT ${columns.join(', ')} ${ONE_PLAN}`,
      values,
    );
    const { projects, builds, channels, testers } = found ?? {};
    return {
      projects: projects ?? [],
      builds: (builds ?? []).map((build) => ({ ...build, uploadedAt: new Date(build.uploadedAt) })),
      channels: channels ?? [],
      testers: testers ?? [],
    };
  }
}
