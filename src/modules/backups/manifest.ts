import { AppError } from '#kernel/errors/app-error';
import { type DatabaseDump } from './database/database-dump';

/** An artifact that could not be backed up as it was uploaded. */
export interface ArtifactFault {
  readonly key: string;
  readonly buildId: string;
  /** `missing`: not in the store. `damaged`: not the bytes that were uploaded. */
  readonly reason: 'missing' | 'damaged';
}

/** What a backup is made of: `manifest.json`, written last. A folder without one holds no backup. */
export interface Manifest {
  readonly format: 1;
  readonly id: string;
  /** Not after the instant that the database is of. */
  readonly createdAt: string;
  readonly keys: KeyProof;
  /** Its files are in `database/<id>`. */
  readonly database: DatabaseDump;
  /** In `artifacts`; null for a backup of the database only. */
  readonly artifacts: { readonly count: number; readonly sizeBytes: number } | null;
  /** Builds that came without their artifact. */
  readonly faults: readonly ArtifactFault[];
}

/** Shows whether a service has the keys that this backup needs, and shows nothing of them. Base64. */
export interface KeyProof {
  /** Something that was sealed with the master key. */
  readonly master: string;
  /** A digest that needs the pepper. */
  readonly pepper: string;
}

/** @throws AppError invalid_input for what no version that this one knows has written. */
export function parseManifest(text: string): Manifest {
  let manifest: Partial<Manifest>;
  try {
    manifest = JSON.parse(text) as Partial<Manifest>;
  } catch {
    throw AppError.invalidInput('manifest_damaged', 'The manifest of this backup is damaged.');
  }
  if (manifest.format === 1) return manifest as Manifest;
  throw AppError.invalidInput(
    'manifest_unknown',
    'This backup was made by another version, which this one cannot read.',
  );
}
