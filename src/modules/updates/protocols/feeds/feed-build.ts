import { type Platform } from '#kernel/builds/platform';
import { type FeedFile } from './feed-files';

/** The current build of a desktop platform, as feeds show it. */
export interface FeedBuild {
  readonly platform: Platform;
  readonly version: string;
  readonly buildNumber: string | null;
  readonly notes: string | null;
  readonly since: Date;
  readonly mandatory: boolean;
  /** The files that the updater can install, at least one, the preferred one first. */
  readonly files: readonly [FeedFile, ...FeedFile[]];
}
