import { type UploadFields } from '@agate/client';
import { detectCiEnvironment, gitIn, localMachine } from '../ci/environments';
import { type Context } from '../context';

export interface SourceOptions {
  readonly branch?: string;
  readonly commit?: string;
  readonly ciUrl?: string;
  /** False with `--no-ci-metadata`. */
  readonly ciMetadata: boolean;
}

/** The source of the build: as options say, otherwise as the CI or the repository says. */
export function sourceOf(
  { environment, output, process }: Context,
  { branch, commit, ciUrl, ciMetadata }: SourceOptions,
): UploadFields {
  const given = { ...(branch && { branch }), ...(commit && { commit }), ...(ciUrl && { ci_url: ciUrl }) };
  if (!ciMetadata) return given;
  const found = detectCiEnvironment(localMachine(environment, process.cwd));
  if (found.name === null && gitIn(process.cwd)('status', '--porcelain', '--untracked-files=no')) {
    output.warn('The repository has changes that are not committed. The commit of the build does not contain them.');
  }
  return {
    ...known({
      branch: found.branch,
      commit: found.commit,
      ci_url: found.url,
      pull_request: found.pullRequest,
      pull_request_url: found.pullRequestUrl,
      pull_request_title: found.pullRequestTitle,
    }),
    ...given,
  };
}

/** The fields that have a value. */
const known = (fields: Readonly<Record<string, string | number | null>>): UploadFields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
