import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { one } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
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

/** Only the newest builds and testers are searched, so that a search is short in an organization of any size. */
const NEWEST = 20_000;

/**
 * The condition of each kind. The parameters of the statements are the organization ($1), the projects or null for all ($2), the patterns
 * ($3), and the whole text for the order ($4).
 */
const SCOPE = 'organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY ($2))';

/** Each word may also be in the project's name, but at least one must be in the text itself. */
const matches = (text: string): string =>
  `concat_ws(' ', ${text}, p.name) ILIKE ALL ($3) AND concat_ws(' ', ${text}) ILIKE ANY ($3)`;

/** Exact matches come first, then matches at the start, then the newest. */
const byQuality = (text: string, id: string): string =>
  `(lower(${text}) = $4) DESC, starts_with(lower(${text}), $4) DESC, ${id} DESC LIMIT ${RESULTS}`;

/** The statement of each kind. It reads a bounded number of rows. */
const STATEMENTS: Readonly<Record<keyof Found, string>> = {
  projects: `
    SELECT id, name FROM project
    WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR id = ANY ($2)) AND name ILIKE ALL ($3)
    ORDER BY ${byQuality('name', 'id')}`,
  builds: `
    SELECT b.id, project_id AS "projectId", p.name AS "projectName", platform, version, build_number AS "buildNumber",
           branch, uploaded_at AS "uploadedAt"
    FROM (SELECT * FROM build WHERE ${SCOPE} ORDER BY id DESC LIMIT ${NEWEST}) AS b JOIN project AS p ON p.id = project_id
    WHERE ${matches('version, build_number, file_name, branch, commit')}
    ORDER BY ${byQuality('version', 'b.id')}`,
  channels: `
    SELECT c.id, project_id AS "projectId", p.name AS "projectName", c.name
    FROM channel AS c JOIN project AS p ON p.id = project_id
    WHERE p.organization_id = $1 AND ($2::uuid[] IS NULL OR p.id = ANY ($2)) AND ${matches('c.name')}
    ORDER BY ${byQuality('c.name', 'c.id')}`,
  testers: `
    SELECT t.id, project_id AS "projectId", p.name AS "projectName", t.name, email
    FROM (SELECT * FROM tester WHERE ${SCOPE} ORDER BY id DESC LIMIT ${NEWEST}) AS t JOIN project AS p ON p.id = project_id
    WHERE ${matches('email, t.name')}
    ORDER BY ${byQuality('email', 't.id')}`,
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
    const columns = kinds.map((kind) => `(SELECT json_agg(found) FROM (${STATEMENTS[kind]}) AS found) AS ${kind}`);
    const patterns = words.map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`);
    const text = words.join(' ').toLowerCase();
    const values = [organizationId, projectIds, patterns, text];
    const found = await one<FoundRow>(this.transactions.manager(ctx), `SELECT ${columns.join(', ')}`, values);
    const { projects, builds, channels, testers } = found ?? {};
    return {
      projects: projects ?? [],
      builds: (builds ?? []).map((build) => ({ ...build, uploadedAt: new Date(build.uploadedAt) })),
      channels: channels ?? [],
      testers: testers ?? [],
    };
  }
}
