import { type ClientBase } from 'pg';
import { type CopyToStreamQuery, to as copyTo } from 'pg-copy-streams';
import { type BlobPlace } from '#modules/storage';
import { readRows } from '#infra/database/sql';

/** An icon can have several hundred kilobytes. */
const ICON_BATCH_SIZE = 20;

/** The place of a build's artifact. */
export interface StoredArtifact extends BlobPlace {
  readonly id: string;
}

/** The artifacts of an organization's builds. The session must be in a transaction. */
export const readArtifacts = (client: ClientBase, organizationId: string): AsyncGenerator<StoredArtifact> =>
  readRows(client, 'SELECT id, storage_account AS account, blob_key AS key FROM build WHERE organization_id = $1', [
    organizationId,
  ]) as AsyncGenerator<StoredArtifact>;

/** The icons of an organization's builds. The session must be in a transaction. */
export const readIcons = (
  client: ClientBase,
  organizationId: string,
): AsyncGenerator<{ readonly id: string; readonly data: Buffer }> =>
  readRows(
    client,
    'SELECT b.id, i.data FROM build_icon i JOIN build b ON b.id = i.build_id WHERE b.organization_id = $1',
    [organizationId],
    ICON_BATCH_SIZE,
  ) as AsyncGenerator<{ readonly id: string; readonly data: Buffer }>;

/** The number of an organization's builds. */
export async function countArtifacts(client: ClientBase, organizationId: string): Promise<number> {
  const statement = 'SELECT count(*)::int AS builds FROM build WHERE organization_id = $1';
  const { rows } = await client.query<{ builds: number }>(statement, [organizationId]);
  return rows[0]?.builds ?? 0;
}

/**
 * The artifacts in the hosted store, in the text format of COPY and in the order of their keys: blob key, size, SHA-256 in hexadecimal,
 * id of the build.
 */
export const copyHostedArtifacts = (client: ClientBase): CopyToStreamQuery =>
  client.query(
    copyTo(`COPY (
      SELECT blob_key, size_bytes, encode(sha256, 'hex'), id FROM build WHERE storage_account = 'hosted' ORDER BY blob_key
    ) TO STDOUT`),
  );
