import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { type RequestOf } from '@agate/client';
import { type Command, Option } from 'commander';
import { type Context } from '../../context';
import { daysOf, wholeNumber } from '../../option-values';
import { usageError } from '../../output/cli-error';

const ACCESS = ['open', 'password', 'sign_in', 'members'] as const;
const NONE = 'none';
const MAX_DOWNLOADS = 1_000_000;

export interface RuleOptions {
  readonly access?: (typeof ACCESS)[number];
  readonly passwordStdin?: boolean;
  readonly expires?: number | typeof NONE;
  readonly max?: number | typeof NONE;
  readonly terms?: string;
}

type Rules = Omit<NonNullable<RequestOf<'PATCH /links/{link_id}'>['body']>, 'name'>;

/** Parses a value, or `none`, which removes the rule. Commander makes an empty text of null. */
const orNone =
  <T>(parse: (text: string) => T) =>
  (text: string): T | typeof NONE =>
    text === NONE ? NONE : parse(text);

export const withRuleOptions = (command: Command): Command =>
  command
    .addOption(new Option('--access <access>', 'who may use the link').choices(ACCESS))
    .option('--password-stdin', 'read the password of the link from standard input')
    .addOption(new Option('--expires <time>', 'a time from now, such as 14d or 12h, or none').argParser(orNone(daysOf)))
    .addOption(
      new Option('--max <downloads>', 'the maximum of downloads, or none').argParser(
        orNone(wholeNumber(1, MAX_DOWNLOADS)),
      ),
    )
    .option('--terms <file>', 'a text file with terms to accept, or none');

/** The rules that the options name. With a password and without --access, the access is `password`. @throws CliError */
export async function rulesOf(context: Context, options: RuleOptions): Promise<Rules> {
  const { passwordStdin = false, expires, max, terms } = options;
  return {
    ...accessOf(options, passwordStdin ? await readPassword(context) : undefined),
    ...(expires !== undefined && { expires_at: timeOf(expires) }),
    ...(max !== undefined && { max_downloads: max === NONE ? null : max }),
    ...(terms !== undefined && { terms: terms === NONE ? null : readTerms(context, terms) }),
  };
}

function accessOf({ access }: RuleOptions, password: string | undefined): Rules {
  if (password !== undefined) return { access: access ?? 'password', password };
  return access === undefined ? {} : { access };
}

const timeOf = (fromNow: number | typeof NONE): string | null =>
  fromNow === NONE ? null : new Date(Date.now() + fromNow).toISOString();

async function readPassword(context: Context): Promise<string> {
  const [password = ''] = (await textOf(context.process.stdin)).split(/\r?\n/);
  if (password === '') throw usageError('Give the password on the first line of standard input.');
  return password;
}

function readTerms(context: Context, file: string): string {
  try {
    return readFileSync(resolve(context.process.cwd, file), 'utf8').trim();
  } catch (error) {
    throw usageError(`The terms cannot be read: ${(error as Error).message}`);
  }
}
