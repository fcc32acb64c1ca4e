import { DEVELOPER_FILES, type ExportedFile, ORGANIZATION_FILES } from '#modules/account-data';
import { TestApp } from '../../support/app/test-app';

/** Tables that no export shows, and why. */
const NOT_EXPORTED: Readonly<Record<string, string>> = {
  artifact_upload: 'where the bytes of uploads on their way go: gone within minutes',
  audit_anchor: 'where retention has taken a chain to',
  audit_chain: 'the ends of the chains',
  audit_intake: 'events within a commit',
  build_icon: 'files, where artifacts are included',
  build_move: 'artifacts on their way from store to store',
  captcha_solution: 'spent answers, for an hour',
  download_ticket: 'tickets, for a day; the downloads are there',
  idempotency_record: 'stored answers, sealed, for a day',
  idempotency_volume: 'how much they come to, for a day',
  migration: 'the schema',
  recovery_code: 'secrets',
  refresh_token: 'secrets; the sessions are there',
  stored_build: 'the builds once more, for the meter',
};

/** Columns of exported tables that stay here: secrets, digests of them, what only finds rows. */
const WITHHELD = {
  developer: ['email_key', 'password_hash'],
  developer_link: ['digest'],
  account_flag: ['hour_start'],
  build: ['blob_key'],
  build_download: ['ticket_id', 'served_ranges'],
  invite: ['digest', 'sealed_token'],
  organization_invitation: ['digest', 'email_key'],
  personal_access_token: ['digest'],
  project_access_token: ['digest', 'previous_digest', 'previous_until'],
  resumable_upload: ['part_size_bytes', 'store_upload_id'],
  second_factor: ['sealed_secret', 'last_step', 'wrong_codes', 'blocked_until'],
  storage_account: ['sealed_credentials'],
  suppression: ['address_digest'],
  tester: ['email_key'],
  top_up: ['checkout_url'],
} as const satisfies Record<string, readonly string[]>;

describe('what an export shows', () => {
  let app: TestApp;
  let columns: Map<string, string[]>;
  beforeAll(async () => {
    app = await TestApp.start({ worker: false });
    const rows = await app.sql<{ name: string; columns: string[] }>(
      `SELECT c.relname AS name, array_agg(a.attname::text ORDER BY attnum) AS columns
       FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND attnum > 0 AND NOT attisdropped
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition GROUP BY 1`,
    );
    columns = new Map(rows.map(({ name, columns: names }) => [name, names]));
  });
  afterAll(() => app.stop());

  const all: readonly ExportedFile[] = [...ORGANIZATION_FILES, ...DEVELOPER_FILES];

  // red when: a migration makes a table, and nobody has thought of the export
  it('is every table that holds data of somebody', () => {
    const shown = new Set(all.flatMap(({ tables }) => tables));
    expect([...columns.keys()].filter((table) => !shown.has(table)).sort()).toEqual(Object.keys(NOT_EXPORTED).sort());
  });

  // red when: a migration adds a column, and nobody has said whether it leaves
  it('is every column but secrets and keys', () => {
    const withheld: Record<string, string[]> = {};
    for (const [table, names] of columns) {
      const texts = all
        .filter(({ tables }) => tables.includes(table))
        .map(({ sql }) => sql.replace(/ WHERE [^]*$/, ''));
      if (texts.length === 0) continue;
      const isShown = (name: string): boolean => texts.some((text) => new RegExp(`\\b${name}\\b`).test(text));
      const hidden = names.filter((name) => !isShown(name) && name !== 'organization_id' && name !== 'developer_id');
      if (hidden.length > 0) withheld[table] = hidden.sort();
    }
    const expected = Object.fromEntries(Object.entries(WITHHELD).map(([table, names]) => [table, [...names].sort()]));
    expect(withheld).toEqual(expected);
  });

  it('has each name once', () => {
    for (const files of [ORGANIZATION_FILES, DEVELOPER_FILES]) {
      expect(new Set(files.map(({ name }) => name)).size).toBe(files.length);
    }
  });
});
