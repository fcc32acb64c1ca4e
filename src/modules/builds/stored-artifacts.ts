import { type ClientBase } from 'pg';
import { type CopyToStreamQuery, to as copyTo } from 'pg-copy-streams';
import { readByKey } from '#infra/database/read-by-key';
import { type BlobPlace } from '#modules/storage';

/** An icon can have several hundred kilobytes. */
const ICON_BATCH_SIZE = 20;

/** The place of a file of a build. */
export interface StoredArtifact extends BlobPlace {
  readonly id: string;
}

const FILE = 'id, storage_account AS account, blob_key AS key';

/** The artifacts and attachments of an organization's builds. */
export async function* readArtifacts(client: ClientBase, organizationId: string): AsyncGenerator<StoredArtifact> {
  for (const table of ['build', 'attachment']) {
    const sql = `SELECT ${FILE} FROM ${table} WHERE organization_id = $1`;
    const files = readByKey(client, { sql, key: ['id'], values: [organizationId] });
    for await (const { row } of files) yield row as StoredArtifact;
  }
}

/** The icons of an organization's builds. */
export async function* readIcons(
  client: ClientBase,
  organizationId: string,
): AsyncGenerator<{ readonly id: string; readonly data: Buffer }> {
  const sql = 'SELECT b.id, i.data FROM build b JOIN build_icon i ON i.build_id = b.id WHERE b.organization_id = $1';
  const icons = readByKey(client, { sql, key: ['b.id'], values: [organizationId] }, null, ICON_BATCH_SIZE);
  for await (const { row } of icons) yield row as { readonly id: string; readonly data: Buffer };
}

/** The number of files of an organization's builds. */
export async function countArtifacts(client: ClientBase, organizationId: string): Promise<number> {
  const statement = `SELECT ((SELECT count(*) FROM build WHERE organization_id = $1)
    + (SELECT count(*) FROM attachment WHERE organization_id = $1))::int AS files`;
  const { rows } = await client.query<{ files: number }>(statement, [organizationId]);
  return rows[0]?.files ?? 0;
}

/**
 * The artifacts and attachments in the hosted store, in the text format of COPY and in the order of their keys: blob key, size, SHA-256 in
 * hexadecimal, id of the build or attachment. A backup before an upgrade reads the schema of a release that had no attachments.
 */
export async function copyHostedArtifacts(client: ClientBase): Promise<CopyToStreamQuery> {
  const { rows } = await client.query<{ known: boolean }>(`SELECT to_regclass('attachment') IS NOT NULL AS known`);
  const tables = rows[0]?.known ? ['build', 'attachment'] : ['build'];
  const stored = tables.map(
    (table) => `SELECT blob_key, size_bytes, encode(sha256, 'hex'), id FROM ${table} WHERE storage_account = 'hosted'`,
  );
  return client.query(copyTo(`COPY (${stored.join(' UNION ALL ')} ORDER BY blob_key) TO STDOUT`));
}
