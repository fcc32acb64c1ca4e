import { type PersonalAccessTokenResponse } from '@agate/client';
import { Option } from 'commander';
import { severalValues } from '../commands/global-options';
import { usageError } from '../output/cli-error';

export type TokenScope = PersonalAccessTokenResponse['scopes'][number];

/** The scopes that the commands of this program need. */
const DEFAULT_SCOPES: readonly TokenScope[] = [
  'organization:read',
  'projects:read',
  'builds:read',
  'builds:upload',
  'builds:download',
  'builds:write',
  'channels:read',
  'channels:write',
  'releases:read',
  'releases:write',
  'testers:read',
  'testers:write',
];

const ALL_SCOPES: readonly TokenScope[] = [...DEFAULT_SCOPES, 'projects:write', 'audit:read', 'billing:read'];

export const scopesOption = (): Option =>
  new Option('--scopes <scope>', 'what the token may do; can be repeated. Default: what this program needs').argParser(
    severalValues,
  );

/** The scopes that an option names; the default ones without it. @throws CliError for an unknown scope. */
export function scopesOf(named: readonly string[] | undefined): readonly TokenScope[] {
  if (named === undefined) return DEFAULT_SCOPES;
  const unknown = named.find((scope) => !ALL_SCOPES.includes(scope as TokenScope));
  if (unknown !== undefined) {
    throw usageError(`"${unknown}" is no scope. The scopes are ${[...ALL_SCOPES].sort().join(', ')}.`);
  }
  return [...new Set(named as readonly TokenScope[])];
}
