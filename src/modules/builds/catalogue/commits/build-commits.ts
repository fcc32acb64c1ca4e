/** A commit of the source code, as the upload said. The service does not check it with the host of the repository. */
export interface BuildCommit {
  /** Hexadecimal. */
  readonly sha: string;
  /** The first line of its message; empty when it has none. */
  readonly subject: string;
  /** The name of its author. Null when the upload did not say. */
  readonly author: string | null;
}

/** The maximum number of commits of a build. */
export const MAX_COMMITS = 100;
/** A hash, or the beginning of one. */
export const SHA_PATTERN = /^[0-9a-fA-F]{4,64}$/;
export const SHA_LENGTH = 64;
/** Texts are written by authors of commits and not by the uploader, so they are cut and cleaned instead of rejected. */
export const SUBJECT_LENGTH = 256;
export const AUTHOR_LENGTH = 100;

/** What changed since the previous build, as the upload said. */
export interface BuildChanges {
  /** The title of the pull request. Null when the upload did not say. */
  readonly pullRequestTitle: string | null;
  /** The commits since the previous build, newest first. Null when the upload did not say; empty when there were none. */
  readonly commits: readonly BuildCommit[] | null;
  /** The commit of the previous build, which the list does not contain. Null when the upload did not say. */
  readonly commitsSince: string | null;
}
