import { hostname } from 'node:os';
import { type PersonalAccessTokenResponse } from '@agate/client';
import { Option } from 'commander';
import { severalValues } from '../commands/global-options';
import { usageError } from '../output/cli-error';

export type TokenScope = PersonalAccessTokenResponse['scopes'][number];

/** Every scope, and whether the commands of this program need it. The compiler demands that it names each scope of the API. */
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

/** The scopes that an option names; the default ones without it. @throws CliError for an unknown scope. */
export function scopesOf(named: readonly string[] | undefined): readonly TokenScope[] {
  if (named === undefined) return DEFAULT_SCOPES;
  const unknown = named.find((scope) => !ALL_SCOPES.includes(scope as TokenScope));
  if (unknown !== undefined) {
    throw usageError(`"${unknown}" is not a scope. The scopes are ${[...ALL_SCOPES].sort().join(', ')}.`);
  }
  return [...new Set(named as readonly TokenScope[])];
}

/** How long tokens are valid that a login makes. */
export const TOKEN_DAYS = 90;
const DAY_MS = 86_400_000;
const LONGEST_HOST = 80;

/** The name of this machine, as the page shows it on which a login is confirmed. */
export const hostName = (): string => hostname().trim().slice(0, LONGEST_HOST) || 'unknown machine';

/** The time so many days from now, as the API takes it. */
export const inDays = (now: number, days: number): string => new Date(now + days * DAY_MS).toISOString();
