import { Client } from 'pg';
import { type ExportedFile } from '#kernel/account-data';
import { readByKey } from '#infra/database/read-by-key';
import { DEVELOPER_FILES, ORGANIZATION_FILES } from '#read-models/account-exports/exported-files';
import { createTenant } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';

/** Tables that no export contains, with the reason. */
const NOT_EXPORTED: Readonly<Record<string, string>> = {
  android_registration: 'what Google publishes about packages, without an organization',
  artifact_upload: 'uploads in progress, deleted within minutes',
  audit_anchor: 'starts of the audit chains',
  audit_chain: 'heads of the audit chains',
  audit_intake: 'events of an uncommitted transaction',
  billing_check: 'the months that the nightly check has verified',
  build_icon: 'exported as files together with the artifacts',
  build_move: 'relocations of artifacts in progress',
  captcha_solution: 'used captcha solutions, deleted after an hour',
  clock_mark: 'the time of the last periodic work',
  data_export: 'requested exports, deleted after a day',
  device_receipt: 'used tickets of profiles, deleted after a day',
  device_login: 'logins of programs, deleted within two hours',
  download_ticket: 'download URLs, deleted after a day; the downloads are exported',
  failed_login: 'counts of failed logins by digests of addresses, deleted within a day',
  hosted_store: 'provider and place of the hosted store',
  idempotency_record: 'sealed responses, deleted after a day',
  idempotency_volume: 'size of the stored responses, deleted after a day',
  link_code: 'codes of testers who sign in at a link, deleted after an hour',
  migration: 'applied migrations',
  recovery_code: 'secrets',
  row_count: 'numbers of rows, without the rows',
  row_count_change: 'numbers of rows, without the rows',
  refresh_token: 'secrets; the sessions are exported',
  signing_calendar: 'until when the ends of signatures were announced; the announcements are audit events',
  shard_cursor: 'progress of periodic work, deleted at its end',
  webhook_delivery: 'copies of events, which are exported, deleted after 30 days',
  webhook_download_count: 'counts of downloads that wait to be sent; the downloads are exported',
  stored_build: 'copy of the builds for the storage meter',
};

/** Columns of exported tables that no export contains: secrets, digests and lookup keys. */
const WITHHELD = {
  developer: ['email_key', 'password_hash'],
  developer_link: ['digest'],
  account_flag: ['hour_start'],
  attachment: ['blob_key'],
  build: ['android_registration', 'blob_key'],
  build_device: ['udid_digest'],
  build_installation: ['digest'],
  device: ['udid_digest'],
  build_download: ['ticket_id', 'served_ranges'],
  invite: ['digest', 'rule_version', 'sealed_token'],
  link_acceptance: ['address_digest'],
  link_rule: ['password_hash'],
  update_key: ['digest', 'sealed_token'],
  organization_invitation: ['digest', 'email_key'],
  organization_logo: ['key'],
  personal_access_token: ['digest'],
  project_access_token: ['digest', 'previous_digest', 'previous_until'],
  resumable_upload: ['part_size_bytes', 'store_upload_id'],
  second_factor: ['sealed_secret', 'last_step', 'wrong_codes', 'blocked_until'],
  storage_account: ['sealed_credentials'],
  suppression: ['address_digest'],
  tester: ['email_key', 'address_digest'],
  top_up: ['checkout_url'],
  webhook: [
    'attempt',
    'cursor',
    'downloads_cursor',
    'downloads_next_at',
    'is_quick',
    'next_at',
    'old_secret_sealed',
    'old_secret_until',
    'secret_sealed',
    'sender',
    'sending_until',
    'url_sealed',
  ],
} as const satisfies Record<string, readonly string[]>;

describe('an account export', () => {
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

  // red when: a migration creates a table that is neither exported nor listed in NOT_EXPORTED
  it('contains every table except the listed ones', () => {
    const shown = new Set(all.flatMap(({ tables }) => tables));
    expect([...columns.keys()].filter((table) => !shown.has(table)).sort()).toEqual(Object.keys(NOT_EXPORTED).sort());
  });

  // red when: a migration adds a column that is neither exported nor listed in WITHHELD
  it('contains every column except the listed ones', () => {
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

  // red when: the key of a file is not different for each row, or is not an expression of its statement
  it('reads each row of each file once, in the order of its key', async () => {
    const tenant = await createTenant(app);
    const client = new Client({ connectionString: app.database.ownerUrl });
    await client.connect();
    try {
      const read = async (file: ExportedFile, id: string): Promise<[string, number]> => {
        let count = 0;
        const select = { sql: file.sql, key: file.key ?? ['id'], values: [id] };
        for await (const { row } of readByKey(client, select, null, 1)) count += Object.keys(row).length > 0 ? 1 : 0;
        return [file.name, count];
      };
      const expected = async ({ name, sql }: ExportedFile, id: string): Promise<[string, number]> => [
        name,
        (await app.sql(sql, [id])).length,
      ];
      for (const [files, id] of [
        [ORGANIZATION_FILES, tenant.organization.id],
        [DEVELOPER_FILES, tenant.admin.id],
      ] as const) {
        const found: [string, number][] = [];
        const all: [string, number][] = [];
        for (const file of files) {
          found.push(await read(file, id));
          all.push(await expected(file, id));
        }
        expect(found).toEqual(all);
        expect(all.filter(([, count]) => count > 1)).not.toEqual([]);
      }
    } finally {
      await client.end();
    }
  });

  it('has no two files with the same name', () => {
    for (const files of [ORGANIZATION_FILES, DEVELOPER_FILES]) {
      expect(new Set(files.map(({ name }) => name)).size).toBe(files.length);
    }
  });
});
