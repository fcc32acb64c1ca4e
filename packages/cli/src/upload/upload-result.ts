import { type UploadedBuildResponse } from '@agate/client';
import { type Promotion } from '../releases/promote';

/** What `agate upload --json` prints for a file. */
export type UploadJson = UploadedBuildResponse & {
  readonly releases: readonly Promotion[];
  /** Whether an earlier run had sent parts of the file. */
  readonly resumed: boolean;
  /** Whether an earlier run had already made the build. */
  readonly replayed: boolean;
  readonly sent_bytes: number;
  readonly duration_ms: number;
};

/** A build that was uploaded and promoted. */
export interface UploadResult {
  readonly build: UploadedBuildResponse;
  readonly json: UploadJson;
}
