import { hostname } from 'node:os';
import { type PersonalAccessTokenResponse } from '@agate/client';
import { Option } from 'commander';
import { severalValues } from '../option-values';
import { usageError } from '../output/cli-error';

export type TokenScope = PersonalAccessTokenResponse['scopes'][number];

/** Every scope, and whether the commands of this program need it. A missing scope does not compile. */
const SCOPES: Readonly<Record<TokenScope, boolean>> = {
  'organization:read': true,
  'projects:read': true,
  'projects:write': true,
  'builds:read': true,
  'builds:upload': true,
  'builds:download': true,
  'builds:write': true,
  'channels:read': true,
  'channels:write': true,
  'releases:read': true,
  'releases:write': true,
  'testers:read': true,
  'testers:write': true,
  'audit:read': false,
  'billing:read': false,
};
const ALL_SCOPES = Object.keys(SCOPES) as readonly TokenScope[];
const DEFAULT_SCOPES = ALL_SCOPES.filter((scope) => SCOPES[scope]);

export const scopesOption = (): Option =>
  new Option('--scopes <scope>', 'what the token may do; can be repeated. Default: what this program needs').argParser(
    severalValues,
  );

/** The scopes that an option names; without the option the default ones. @throws CliError for an unknown scope. */
export function scopesOf(named: readonly string[] | undefined): readonly TokenScope[] {
  if (named === undefined) return DEFAULT_SCOPES;
  const unknown = named.find((scope) => !ALL_SCOPES.includes(scope as TokenScope));
  if (unknown !== undefined) {
    throw usageError(`"${unknown}" is not a scope. The scopes are ${[...ALL_SCOPES].sort().join(', ')}.`);
  }
  return [...new Set(named as readonly TokenScope[])];
}

/** The lifetime of tokens that a login creates. */
export const TOKEN_DAYS = 90;
const DAY_MS = 86_400_000;
const LONGEST_HOST = 80;

/** The name of this machine, as the page on which a login is confirmed shows it. */
export const hostName = (): string => hostname().trim().slice(0, LONGEST_HOST) || 'unknown machine';

/** The time the given number of days from now, in the format of the API. */
export const inDays = (now: number, days: number): string => new Date(now + days * DAY_MS).toISOString();
