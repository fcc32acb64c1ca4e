import { type Position } from '../exported-rows';

export const DATA_EXPORT_STATES = ['requested', 'running', 'ready', 'failed'] as const;
export type DataExportState = (typeof DATA_EXPORT_STATES)[number];

export const DATA_EXPORT_REASONS = ['too_large', 'failed'] as const;
export type DataExportReason = (typeof DATA_EXPORT_REASONS)[number];

/** The subject of an export. */
export interface ExportSubject {
  readonly kind: 'organization' | 'developer';
  readonly id: string;
}

/** An export that a developer requested. */
export interface DataExport {
  readonly id: string;
  readonly subject: ExportSubject;
  readonly requestedBy: string;
  readonly state: DataExportState;
  /** Why it failed. Null in other states. */
  readonly reason: DataExportReason | null;
  /** The archive; null until it is ready. */
  readonly archive: { readonly sizeBytes: number; readonly sha256: string } | null;
  readonly createdAt: Date;
  /** What was read so far. Null before the first part and after the last. */
  readonly progress: ExportProgress | null;
  /** When the archive and its link expire. */
  readonly expiresAt: Date;
}

/** A file of an export, as far as it was read. */
export interface ExportedSoFar extends Position {
  /** The ids of the parts in the store, in order. */
  readonly parts: readonly string[];
  readonly isComplete: boolean;
}

/** What an export has read so far. */
export interface ExportProgress {
  /** When the export began. */
  readonly since: string;
  /** Absent before the first part of a file. */
  readonly files: Readonly<Record<string, ExportedSoFar>>;
  /** The id of the part that is written next. A process that was killed may have left it. */
  readonly next: string;
  /** The size of all parts. */
  readonly bytes: number;
}

/** The prefix of the keys of archives and parts in the hosted store. */
export const EXPORTS = 'exports/';

/** The key of the archive in the hosted store. */
export const archiveKeyOf = (id: string): string => `${EXPORTS}${id}`;

/** The key of a part in the hosted store. */
export const partKeyOf = (part: string): string => `${EXPORTS}${part}`;

/** The keys of all blobs that an export may have in the hosted store. */
export const keysOf = ({ id, progress }: Pick<DataExport, 'id' | 'progress'>): readonly string[] => {
  const parts = progress ? [...Object.values(progress.files).flatMap((file) => file.parts), progress.next] : [];
  return [archiveKeyOf(id), ...parts.map(partKeyOf)];
};
