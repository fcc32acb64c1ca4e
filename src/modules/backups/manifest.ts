import { createHash } from 'node:crypto';
import { AppError } from '#kernel/errors/app-error';
import { isUuid } from '#kernel/ids';
import { type DatabaseDump } from './database/database-dump';

/** An artifact that the backup does not contain. */
export interface ArtifactFault {
  readonly key: string;
  readonly buildId: string;
  /** `missing`: the store does not have it. `damaged`: its bytes differ from the upload. */
  readonly reason: 'missing' | 'damaged';
}

/** The content of a manifest, except its authentication. */
export interface ManifestContent {
  readonly format: 1;
  readonly id: string;
  /** The version of the service that made the backup. Absent in backups of versions before 0.2. */
  readonly version?: string;
  /** A time that is not later than the snapshot of the database. */
  readonly createdAt: string;
  readonly keys: KeyProof;
  /** Its files are in `database/<id>`. */
  readonly database: DatabaseDump;
  /** The files in `artifacts`; null for a backup of the database only. */
  readonly artifacts: { readonly count: number; readonly sizeBytes: number } | null;
  /** The builds without an artifact in the backup. */
  readonly faults: readonly ArtifactFault[];
}

/** The content of `manifest.json`, which is written last. A folder without it holds no complete backup. */
export interface Manifest extends ManifestContent {
  /** The digest of the content, sealed with the master key, in base64. Absent in backups of versions before 0.2. */
  readonly authentication?: string;
}

/** The SHA-256 of everything that a restore reads from a manifest. The order of the keys counts, the white space does not. */
export function digestOfContent({ authentication: _, ...content }: Manifest): Buffer {
  return createHash('sha256').update(JSON.stringify(content)).digest();
}

/** Proves that a service has the keys that the backup needs, without revealing them. In base64. */
export interface KeyProof {
  /** The id of the backup, sealed with the master key. */
  readonly master: string;
  /** A digest of the id, keyed with the pepper. */
  readonly pepper: string;
}

/** @throws AppError invalid_input for a damaged manifest, or one of an unknown format. */
export function parseManifest(text: string): Manifest {
  const manifest = objectOf(text);
  if (manifest.format === 1) {
    if (isUuid(manifest.id) && manifest.database && namesOnlyOwnFiles(manifest.database)) return manifest as Manifest;
    throw damaged();
  }
  throw AppError.invalidInput(
    'manifest_unknown',
    `This backup has a format that this version cannot read. ${installMessage(manifest)}`,
  );
}

function objectOf(text: string): Partial<Manifest> {
  try {
    return (JSON.parse(text) ?? {}) as Partial<Manifest>;
  } catch {
    throw damaged();
  }
}

/** Whether all files of the database are in the folder of the backup: a name could lead out of it. */
const namesOnlyOwnFiles = ({ tables, lists }: DatabaseDump): boolean =>
  [...tables, ...Object.values(lists)].every(({ file }) => /^[a-z][a-z0-9_.]*$/.test(file));

const damaged = (): AppError =>
  AppError.invalidInput('manifest_damaged', 'The manifest of this backup is damaged. Restore another backup.');

/** Names the version that can restore a backup of a later version. */
export const installMessage = ({ version }: Pick<Manifest, 'version'>): string =>
  `Install ${version === undefined ? 'the version that made it' : `version ${version} or later`}, and restore it again.`;
