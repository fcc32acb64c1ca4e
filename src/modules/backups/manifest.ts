import { AppError } from '#kernel/errors/app-error';
import { type DatabaseDump } from './database/database-dump';

/** An artifact that the backup does not contain. */
export interface ArtifactFault {
  readonly key: string;
  readonly buildId: string;
  /** `missing`: the store does not have it. `damaged`: its bytes differ from the upload. */
  readonly reason: 'missing' | 'damaged';
}

/** The content of `manifest.json`, which is written last. A folder without it holds no complete backup. */
export interface Manifest {
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

/** Proves that a service has the keys that the backup needs, without revealing them. In base64. */
export interface KeyProof {
  /** The id of the backup, sealed with the master key. */
  readonly master: string;
  /** A digest of the id, keyed with the pepper. */
  readonly pepper: string;
}

/** @throws AppError invalid_input for a damaged manifest, or one of an unknown format. */
export function parseManifest(text: string): Manifest {
  let manifest: Partial<Manifest>;
  try {
    manifest = JSON.parse(text) as Partial<Manifest>;
  } catch {
    throw AppError.invalidInput('manifest_damaged', 'The manifest of this backup is damaged. Restore another backup.');
  }
  if (manifest.format === 1) return manifest as Manifest;
  throw AppError.invalidInput(
    'manifest_unknown',
    `This backup has a format that this version cannot read. ${installMessage(manifest)}`,
  );
}

/** Names the version that can restore a backup of a later version. */
export const installMessage = ({ version }: Pick<Manifest, 'version'>): string =>
  `Install ${version === undefined ? 'the version that made it' : `version ${version} or later`}, and restore it again.`;
