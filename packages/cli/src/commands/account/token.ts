import {
  type Client,
  type PersonalAccessTokenResponse,
  PROJECT_ROLES,
  type ProjectAccessTokenResponse,
  type ProjectRole,
} from '@agate/client';
import { Command, InvalidArgumentError, Option } from 'commander';
import { type Context } from '../../context';
import { addressToLogInTo } from '../../login/address-of-service';
import { withSession } from '../../login/password-login';
import { inDays, scopesOf, scopesOption } from '../../login/scopes';
import { allItemsOf } from '../../network/pages';
import { notFoundError, usageError } from '../../output/cli-error';
import { tableOf } from '../../output/table';
import { CredentialsFile } from '../../settings/credentials-file';
import { readProjectFile } from '../../settings/project-file';
import { organizationOf, resolveScope } from '../../settings/scope';
import { type Settings } from '../../settings/settings';
import { confirm } from '../../terminal/questions';

export const tokenCommand = (context: Context): Command => {
  const command = new Command('token').description('manage tokens, after a login with the password');
  for (const create of [createTokenCommand, listTokensCommand, revokeTokenCommand]) command.addCommand(create(context));
  return command;
};

const listTokensCommand = (context: Context): Command =>
  withTokenOptions(new Command('list'))
    .description('list tokens with what they may do, their last use and their expiry')
    .action(async (options: TokenOptions) => {
      const tokens = await inTokenPlace(context, options, (place) => allTokens(place, options));
      context.output.print(tokens, tableOf(tokens.map(rowOf)));
    });

const rowOf = (token: Token): string[] => [
  token.name,
  `…${token.last4}`,
  'role' in token ? token.role : token.scopes.join(','),
  token.last_used_at === null ? 'never used' : `used ${token.last_used_at.slice(0, 10)}`,
  token.expires_at === null ? 'does not expire' : `expires ${token.expires_at.slice(0, 10)}`,
  token.id,
];

interface CreateOptions extends TokenOptions {
  readonly role: ProjectRole;
  readonly scopes?: readonly string[];
  /** In days. */
  readonly expires: number | 'never';
}

const DEFAULT_DAYS = 365;

const createTokenCommand = (context: Context): Command =>
  withTokenOptions(new Command('create'))
    .description('create a token and print its value, once')
    .argument('<name>', 'where the token will be used, such as "GitHub Actions"')
    .addOption(
      new Option('--role <role>', 'role of a project access token').choices(PROJECT_ROLES).default('UPLOAD_BUILD'),
    )
    .addOption(scopesOption())
    .addOption(
      new Option('--expires <days>', 'days such as 90d, or never')
        .argParser(daysOf)
        .default(DEFAULT_DAYS, `${DEFAULT_DAYS}d`),
    )
    .action(async (name: string, options: CreateOptions) => {
      const scopes = scopesOf(options.scopes);
      const { role, expires } = options;
      const expiresAt = expires === 'never' ? null : inDays(context.process.now(), expires);
      const created = await inTokenPlace(
        context,
        options,
        async ({ client, scope }): Promise<Token & { readonly token: string }> =>
          options.personal
            ? client.request('POST /pats', {
                query: organizationIn(scope),
                body: { name, scopes, expires_at: expiresAt },
              })
            : client.request('POST /project-access-tokens', {
                query: scope,
                body: { name, role, expires_at: expiresAt },
              }),
      );
      context.output.say('This is the only time that the value is shown. Keep it as a secret.');
      context.output.print(created, created.token);
    });

function daysOf(text: string): number | 'never' {
  if (text === 'never') return text;
  const days = Number(/^(\d{1,4})d?$/.exec(text.trim())?.[1] ?? 0);
  if (days < 1) throw new InvalidArgumentError('Use a number of days such as 90d, or never.');
  return days;
}

interface RevokeOptions extends TokenOptions {
  readonly yes?: boolean;
}

const revokeTokenCommand = (context: Context): Command =>
  withTokenOptions(new Command('revoke'))
    .description('revoke a token; it stops working immediately')
    .argument('<token>', 'id, name or last four characters')
    .option('--yes', 'do not ask')
    .action(async (wanted: string, { yes = false, ...options }: RevokeOptions) => {
      if (!yes && !context.isInteractive) throw usageError(`This revokes "${wanted}". Repeat the command with --yes.`);
      const revoked = await inTokenPlace(context, options, async (place) => {
        const token = theToken(await allTokens(place, options), wanted);
        await confirm(context, `This revokes "${token.name}" (…${token.last4}).`, yes);
        await revoke(place, token, options);
        return token;
      });
      context.output.print(revoked, `"${revoked.name}" was revoked.`);
    });

function revoke({ client, scope }: TokenPlace, { id }: Token, { personal }: TokenOptions): Promise<undefined> {
  const path = { token_id: id };
  return personal
    ? client.request('DELETE /pats/{token_id}', { path, query: organizationIn(scope) })
    : client.request('DELETE /project-access-tokens/{token_id}', { path, query: scope });
}

/** @throws CliError when there is no such token, or several. */
function theToken(tokens: readonly Token[], wanted: string): Token {
  const found = tokens.filter(({ id, name, last4 }) => [id, name, last4, `…${last4}`].includes(wanted));
  const [first] = found;
  if (!first) throw notFoundError(`There is no token "${wanted}". Use agate token list.`);
  if (found.length > 1) throw usageError(`There are ${found.length} tokens "${wanted}". Use the id of one.`);
  return first;
}

type Token = ProjectAccessTokenResponse | PersonalAccessTokenResponse;

/** Options of the commands for tokens. */
interface TokenOptions {
  readonly personal?: boolean;
  readonly email?: string;
}

/** The place of the tokens that a command works on. The project is empty for personal access tokens. */
interface TokenScope {
  readonly organization_id: string;
  readonly project_id: string;
}

/** A session, and the place of the tokens that the command works on. */
interface TokenPlace {
  readonly client: Client;
  readonly scope: TokenScope;
}

const withTokenOptions = (command: Command): Command =>
  command
    .option('--personal', 'personal access tokens; default: project access tokens')
    .option('--email <address>', 'the account; its password is asked, or read from standard input');

/** Runs `work` with a session of the account: routes of tokens reject every token. @throws CliError like `withSession`. */
async function inTokenPlace<T>(
  context: Context,
  { personal = false, email }: TokenOptions,
  work: (place: TokenPlace) => Promise<T>,
): Promise<T> {
  const url = await addressToLogInTo(context);
  const known = email ?? new CredentialsFile(context.environment).read()[url]?.email;
  return withSession(context, { url, email: known }, async ({ client }) => {
    const settings = settingsWithoutToken(context, url);
    const found = personal
      ? { organization_id: await organizationOf(client, settings) }
      : await resolveScope(client, settings);
    return work({ client, scope: { organization_id: '', project_id: '', ...found } });
  });
}

/** The tokens of the place that are not revoked. */
const allTokens = ({ client, scope }: TokenPlace, { personal }: TokenOptions): Promise<Token[]> =>
  personal
    ? allItemsOf<Token>((page) => client.request('GET /pats', { query: { ...organizationIn(scope), ...page } }))
    : allItemsOf<Token>((page) => client.request('GET /project-access-tokens', { query: { ...scope, ...page } }));

const organizationIn = ({ organization_id }: TokenScope): { readonly organization_id: string } => ({
  organization_id,
});

function settingsWithoutToken({ options, process }: Context, url: string): Settings {
  const file = readProjectFile(process.cwd);
  return {
    url,
    token: null,
    organization: options.organization ?? file.organization,
    project: options.project ?? file.project,
    channels: [],
    parallel: undefined,
  };
}
