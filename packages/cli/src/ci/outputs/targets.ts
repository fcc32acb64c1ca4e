import { type Environment } from '../../environment';

/** The CIs that get the result in a form of their own. */
export const KINDS = ['github', 'azure', 'teamcity', 'bitrise', 'buildkite'] as const;

type Kind = (typeof KINDS)[number];

/** The targets to which the result is written for the next step. */
export type Target = { readonly kind: Kind } | { readonly kind: 'dotenv'; readonly file: string };

/** The target applies when the CI has set one of these variables. */
const DETECTED: Readonly<Record<Kind, readonly string[]>> = {
  github: ['GITHUB_ACTIONS', 'GITHUB_OUTPUT'],
  azure: ['TF_BUILD'],
  teamcity: ['TEAMCITY_VERSION'],
  bitrise: ['BITRISE_IO'],
  buildkite: ['BUILDKITE'],
};

/** The targets that follow from the variables of the CI. */
export const detectTargets = (env: Environment): Target[] =>
  KINDS.filter((kind) => DETECTED[kind].some((name) => env[name])).map((kind) => ({ kind }));

/**
 * Reads a list such as `github,dotenv=agate.env`. `none` is the empty list.
 * @throws TypeError with a sentence for the user.
 */
export function parseTargets(text: string): Target[] {
  const names = text.split(',').map((name) => name.trim());
  return names.filter((name) => name !== '' && name !== 'none').map(parseTarget);
}

function parseTarget(name: string): Target {
  const [, file] = /^dotenv=(.+)$/s.exec(name) ?? [];
  if (file) return { kind: 'dotenv', file };
  const kind = KINDS.find((each) => each === name);
  if (kind) return { kind };
  throw new TypeError(`Unknown output "${name}". Use ${KINDS.join(', ')}, dotenv=<file> or none.`);
}
