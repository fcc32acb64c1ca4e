import { type Client, type PersonalAccessTokenResponse, type ProjectAccessTokenResponse } from '@agate/client';
import { type Command } from 'commander';
import { type Context } from '../../context';
import { addressToLogInTo } from '../../login/address-of-service';
import { CredentialsFile } from '../../login/credentials-file';
import { withSession } from '../../login/password-login';
import { allItemsOf } from '../../network/pages';
import { readProjectFile } from '../../settings/project-file';
import { organizationOf, resolveScope } from '../../settings/scope';
import { type Settings } from '../../settings/settings';

export type Token = ProjectAccessTokenResponse | PersonalAccessTokenResponse;

/** Options of the commands for tokens. */
export interface TokenOptions {
  readonly personal?: boolean;
  readonly email?: string;
}

/** Where the tokens are that a command works on. The project is empty for personal access tokens. */
export interface TokenScope {
  readonly organization_id: string;
  readonly project_id: string;
}

/** A session, and where the tokens are that the command works on. */
export interface TokenPlace {
  readonly client: Client;
  readonly scope: TokenScope;
}

export const withTokenOptions = (command: Command): Command =>
  command
    .option('--personal', 'personal access tokens; default: project access tokens')
    .option('--email <address>', 'the account; its password is asked, or read from standard input');

/** Runs `work` with a session of the account: routes of tokens reject every token. @throws CliError like `withSession`. */
export async function inTokenPlace<T>(
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
export const allTokens = ({ client, scope }: TokenPlace, { personal }: TokenOptions): Promise<Token[]> =>
  personal
    ? allItemsOf<Token>((page) => client.request('GET /pats', { query: { ...organizationIn(scope), ...page } }))
    : allItemsOf<Token>((page) => client.request('GET /project-access-tokens', { query: { ...scope, ...page } }));

export const organizationIn = ({ organization_id }: TokenScope): { readonly organization_id: string } => ({
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
