import { type Client, type CredentialResponse } from '@agate/client';
import { Command, Option } from 'commander';
import { type Context } from '../../context';
import { addressToLogInTo } from '../../login/address-of-service';
import { describeCredential } from '../../login/describe-credential';
import { logInWithBrowser } from '../../login/device-login';
import { type Session, withSession } from '../../login/password-login';
import { hostName, inDays, scopesOf, scopesOption, TOKEN_DAYS, type TokenScope } from '../../login/scopes';
import { credentialError, usageError } from '../../output/cli-error';
import { runCredentialCommand } from '../../settings/credential-command';
import { CredentialsFile, type KeptLogin } from '../../settings/credentials-file';
import { isId, withName } from '../../settings/scope';
import { isCompleteToken, isToken } from '../../settings/token-format';
import { choose } from '../../terminal/questions';
import { textOf } from '../../upload/notes';

interface Options {
  readonly withToken?: boolean;
  readonly credentialCommand?: string;
  readonly password?: boolean;
  readonly email?: string;
  readonly scopes?: readonly string[];
}

export const loginCommand = (context: Context): Command =>
  new Command('login')
    .description('log in by the browser, and keep a token for this machine')
    .addOption(
      new Option('--with-token', 'keep the token that standard input contains').conflicts(['password', 'scopes']),
    )
    .addOption(
      new Option(
        '--credential-command <command>',
        'keep a command that prints the token, such as "op read …"',
      ).conflicts(['withToken', 'password', 'scopes']),
    )
    .addOption(
      new Option('--password', 'log in with e-mail address and password instead of the browser').env(
        'AGATE_USE_PASSWORD',
      ),
    )
    .option('--email <address>', 'with --password: the account')
    .addOption(scopesOption())
    .action(async (options: Options) => {
      if (context.environment['CI'] && !options.withToken) {
        throw usageError('A CI needs no login. Set AGATE_TOKEN to a project access token.');
      }
      const url = await addressToLogInTo(context);
      const credential = await logIn(context, url, options);
      context.output.print({ url, ...credential }, describeCredential(url, credential));
    });

/** Logs in to a service and stores the login. @throws CliError when it is cancelled or rejected. */
export async function logIn(context: Context, url: string, options: Options): Promise<CredentialResponse> {
  const file = new CredentialsFile(context.environment);
  file.read();
  const { login, token } = await newLogin(context, url, options);
  context.output.secrets.add(token);
  const credential = await verified(context.newClient(url, token));
  file.keep(url, login);
  context.output.say(`Logged in to ${url}. Kept in ${file.path}.`);
  if (context.environment['AGATE_TOKEN']) context.output.warn('AGATE_TOKEN is set, and is used instead.');
  return credential;
}

interface NewLogin {
  readonly login: KeptLogin;
  readonly token: string;
}

async function newLogin(context: Context, url: string, options: Options): Promise<NewLogin> {
  const { credentialCommand: command } = options;
  if (command !== undefined) {
    return { login: { credential_command: command }, token: runCredentialCommand(command, context.environment) };
  }
  if (options.withToken) {
    const token = await tokenOnInput(context);
    return { login: { token }, token };
  }
  const scopes = scopesOf(options.scopes);
  if (!options.password) {
    const created = await logInWithBrowser(context, context.newClient(url), scopes);
    if (created) return { login: { token: created.token }, token: created.token };
    context.output.say('This service cannot confirm a login in a browser. Log in with the password.');
  }
  return withSession(context, { url, email: options.email }, async (session) => {
    const token = await createToken(context, session, scopes);
    return { login: { token, email: session.email }, token };
  });
}

async function tokenOnInput(context: Context): Promise<string> {
  const token = (await textOf(context.process.stdin)).trim();
  if (!isToken(token)) throw usageError('Standard input has no token of Agate. It begins with ag_pat_ or ag_prj_.');
  if (!isCompleteToken(token)) {
    throw credentialError('The token is not complete: its checksum is wrong. Copy the whole token again.');
  }
  return token;
}

/** Creates a token like the one of a login by the browser. */
async function createToken(context: Context, { client }: Session, scopes: readonly TokenScope[]): Promise<string> {
  const query = { organization_id: await organizationOf(context, client) };
  const expiresAt = inDays(context.process.now(), TOKEN_DAYS);
  const body = { name: `agate on ${hostName()}`, scopes, expires_at: expiresAt };
  return (await client.request('POST /pats', { query, body })).token;
}

async function organizationOf(context: Context, client: Client): Promise<string> {
  const wanted = context.options.organization;
  const all = await client.request('GET /organizations');
  const found =
    wanted === undefined ? all : isId(wanted) ? all.filter(({ id }) => id === wanted) : withName(all, wanted);
  const [first] = found;
  if (!first) {
    throw usageError(
      wanted === undefined
        ? 'You are not a member of any organization. Create one in the dashboard.'
        : `You are not a member of an organization "${wanted}".`,
    );
  }
  if (found.length === 1) return first.id;
  if (!context.isInteractive) {
    throw usageError(
      `You are a member of ${found.map(({ name }) => name).join(', ')}. Choose one with --organization.`,
    );
  }
  const index = await choose(
    context,
    'In which organization?',
    found.map(({ name }) => name),
  );
  return found[index]!.id;
}

const verified = (client: Client): Promise<CredentialResponse> => client.request('GET /credential');
