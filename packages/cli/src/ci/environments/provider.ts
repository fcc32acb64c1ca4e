import { type Environment } from '../../environment';

/** The inputs of the detection. All of them are injected, so that tests replay recorded environments. */
export interface Machine {
  readonly env: Environment;
  /** The text of a file, or null when it cannot be read. */
  readonly readText: (path: string) => string | null;
  /** The name of a CI that has no entry in this folder; null on a developer's machine. */
  readonly otherCi: string | null;
  /** The trimmed output of git in the working folder, or null when git is missing or fails. */
  readonly git: (...args: readonly string[]) => string | null;
}

/** The source as one CI describes it. Empty texts count as missing. */
export interface Source {
  /** Null when the run has no branch. Git is then not read either. */
  readonly branch?: string | null | undefined;
  /** Set when the run is for a tag. Then the branch is ignored, because several CIs repeat the tag in it. */
  readonly tag?: string | null | undefined;
  readonly commit?: string | null | undefined;
  readonly url?: string | null | undefined;
  readonly pullRequest?: string | null | undefined;
  readonly pullRequestUrl?: string | null | undefined;
  readonly pullRequestTitle?: string | null | undefined;
}

export interface Provider {
  readonly name: string;
  /** The variable that only this CI sets. */
  readonly detect: string | ((env: Machine['env']) => boolean);
  readonly source: (machine: Machine) => Source;
}

/** The first text that is not empty. */
export const first = (...texts: readonly (string | null | undefined)[]): string | undefined =>
  texts.find((text): text is string => Boolean(text));

/** The name of a branch of a full reference; undefined for references of tags and pull requests. A bare name is a branch. */
export function branchOf(reference: string | undefined): string | undefined {
  if (!reference?.startsWith('refs/')) return reference;
  return reference.startsWith('refs/heads/') ? reference.slice('refs/heads/'.length) : undefined;
}
