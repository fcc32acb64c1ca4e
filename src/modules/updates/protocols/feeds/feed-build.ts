import { type Platform } from '#kernel/builds/platform';

/** The current build of a desktop platform, as feeds show it. */
export interface FeedBuild {
  readonly platform: Platform;
  readonly version: string;
  readonly buildNumber: string | null;
  readonly notes: string | null;
  readonly since: Date;
  readonly mandatory: boolean;
  readonly url: string;
  readonly fileName: string;
  readonly sizeBytes: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  /** Base64. Null for builds of earlier releases. */
  readonly sha512: string | null;
  /** The developer's signature of the file, null when there is none. */
  readonly signature: string | null;
}
