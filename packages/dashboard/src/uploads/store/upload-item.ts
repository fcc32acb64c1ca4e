import {
  ApiError,
  type FileFacts,
  FileUnreadableError,
  isTransient,
  type Platform,
  type ResponseOf,
  type UploadScope,
  type UploadState,
} from '@agate/client';
import { type ChosenFile } from '../browser/files';

/** The target of a build. */
export interface UploadTarget {
  readonly organizationId: string;
  readonly projectId: string;
}

/** Files that belong to a project of an organization which is not known yet. */
export interface RoutedFiles {
  readonly organizationId: string;
  readonly files: readonly ChosenFile[];
}

/** The target as the query parameters by which the API names it. */
export const scopeOf = ({ organizationId, projectId }: UploadTarget): UploadScope => ({
  organization_id: organizationId,
  project_id: projectId,
});

/** The reader's texts about the build, typed while it is sent. Empty texts are not set. */
export interface UploadEdits {
  readonly notes: string;
  readonly channelId: string;
  readonly version: string;
  readonly platform: Platform | '';
}

export type UploadedBuild = ResponseOf<'POST /builds/uploads/{upload_id}/complete'>;

/** One upload as the panel shows it. A new object after each change. */
export interface UploadItem {
  readonly key: string;
  readonly target: UploadTarget;
  readonly developerId: string;
  readonly file: FileFacts;
  /** `details`: the reader must first supply version and platform, because the file does not contain them. */
  readonly state: 'details' | UploadState;
  readonly sentBytes: number;
  readonly isFlowing: boolean;
  /** Null before it is known, and while nothing is sent. */
  readonly bytesPerSecond: number | null;
  readonly build: UploadedBuild | null;
  /** Why it failed; null in every other state. */
  readonly error: unknown;
  readonly edits: UploadEdits;
  /** Whether the build has the notes that the reader typed. */
  readonly hasUnsavedNotes: boolean;
  /** The channel that the build was promoted to here; empty without one. */
  readonly promotedTo: string;
  /** The reason why the build exists but has no notes, or was not promoted. */
  readonly followUpError: { readonly of: 'notes' | 'promotion'; readonly error: unknown } | null;
}

/** An upload that a reload interrupted. */
export interface UnfinishedItem {
  readonly key: string;
  readonly target: UploadTarget;
  readonly file: FileFacts;
  /** Null while it is unknown. */
  readonly sentBytes: number | null;
  /** The reason why it was not continued: another file was chosen. */
  readonly isOtherFile: boolean;
}

const refusal = (status: number, code: string, details: Readonly<Record<string, unknown>>): ApiError =>
  new ApiError(status, code, 'The file cannot be uploaded.', details);

/** The reason why a file is rejected before a byte is sent; null when it may be sent. */
export function refusalOf(file: FileFacts, isFolder: boolean, maxBytes: number | null): ApiError | null {
  if (isFolder) return refusal(400, 'invalid_input', { reason: 'folder' });
  if (file.size === 0) return refusal(400, 'invalid_input', { reason: 'empty_file' });
  if (maxBytes !== null && file.size > maxBytes) return refusal(413, 'payload_too_large', { max_bytes: maxBytes });
  return null;
}

const REPAIRABLE_STATUSES = [401, 402, 403];
const REPAIRABLE = ['quota_exceeded', 'not_found', 'parts_mismatch', 'parts_missing'];

/** Whether sending the same file again can succeed, because the cause is temporary or not in the file. */
export function canRetry(error: unknown): boolean {
  if (!(error instanceof ApiError)) return !(error instanceof FileUnreadableError);
  return (
    isTransient(error) || REPAIRABLE_STATUSES.includes(error.status) || REPAIRABLE.includes(error.reason ?? error.code)
  );
}
