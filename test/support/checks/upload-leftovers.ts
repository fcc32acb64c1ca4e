import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestApp } from '../app/test-app';

/** Counts what a rejected upload must not leave behind: blobs, uploads, reservations and builds. */
export async function uploadLeftovers(app: TestApp): Promise<unknown> {
  const folder = join(app.dataDirectory, 'artifacts');
  const files = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return {
    files: files.filter((entry) => entry.isFile()).length,
    uploads: await app.sql('SELECT count(*)::int AS n FROM artifact_upload'),
    active: await app.sql(`SELECT count(*)::int AS n FROM reservation WHERE state = 'active'`),
    builds: await app.sql('SELECT count(*)::int AS n FROM build'),
  };
}
