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
  /** When the archive and its link expire. */
  readonly expiresAt: Date;
}

/** The key of the archive in the hosted store. */
export const archiveKeyOf = (id: string): string => `exports/${id}`;
