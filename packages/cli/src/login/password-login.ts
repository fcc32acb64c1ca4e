import { ApiError, type Client } from '@agate/client';
import { type Context } from '../context';
import { CliError, credentialError, ExitCode, usageError } from '../output/cli-error';
import { ask, askSecret } from '../terminal/questions';
import { textOf } from '../upload/notes';

export interface PasswordLogin {
  /** The address of the service. */
  readonly url: string;
  /** The e-mail address of the account. When it is undefined, a person is asked. */
  readonly email: string | undefined;
}

/** The requests that a session permits while `work` runs. */
export interface Session {
  readonly client: Client;
  readonly email: string;
}

interface Answers {
  readonly email: string;
  readonly password: string;
  /** Returns the code of the second factor. Called only when the service requires one. */
  readonly code: () => Promise<string>;
}

/**
 * Logs in with the password of the account, runs `work` with the session, and ends the session. The password is forgotten. Without a
 * terminal the lines of standard input are the password and, if needed, the code of the second factor.
 * @throws CliError when the password or code is wrong; what `work` throws.
 */
export async function withSession<T>(
  context: Context,
  login: PasswordLogin,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const answers = await answersOf(context, login.email);
  const anonymous = context.newClient(login.url);
  const token = await tokenOf(anonymous, answers);
  context.output.secrets.add(token);
  const client = context.newClient(login.url, token);
  try {
    return await work({ client, email: answers.email });
  } finally {
    await client.request('POST /login/logout', { body: { only_this_session: true } }).catch(() => undefined);
  }
}

/** @throws CliError when no setting names the account and no person can be asked. */
export function rejectWithoutAccount({ isInteractive }: Context, email: string | undefined): asserts email is string {
  if (isInteractive || email !== undefined) return;
  throw usageError('Name the account with --email, and give the password on standard input.');
}

async function answersOf(context: Context, email: string | undefined): Promise<Answers> {
  if (context.isInteractive) {
    return {
      email: email ?? (await ask(context, 'E-mail address:')),
      password: await askSecret(context, 'Password:'),
      code: () => ask(context, 'Code of your authenticator, or a recovery code:'),
    };
  }
  rejectWithoutAccount(context, email);
  const [password = '', code = ''] = (await textOf(context.process.stdin)).split(/\r?\n/);
  if (password === '') throw usageError('Give the password on the first line of standard input.');
  return { email, password, code: () => Promise.resolve(code.trim()) };
}

async function tokenOf(client: Client, { email, password, code }: Answers): Promise<string> {
  const attempt = async (more: object): Promise<string> => {
    const pair = await client.request('POST /login/email', { body: { email, password, ...more } });
    if (!pair) throw new CliError(ExitCode.defect, 'defect', 'The service started a session without a token.');
    return pair.token;
  };
  try {
    return await attempt({});
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.details['mfa_required'] !== true) throw explained(error);
    const typed = await code();
    if (typed === '')
      throw credentialError('A code of the second factor is required, on the second line of the input.');
    return attempt({ mfa_code: typed }).catch((second: unknown) => {
      throw second instanceof ApiError ? explained(second) : second;
    });
  }
}

/** After wrong passwords the service requires a proof of work, which only the browser solves. */
const explained = (error: ApiError): Error =>
  error.details['captcha_required'] === true
    ? new CliError(
        ExitCode.notAllowed,
        error.code,
        `${error.message.split('. ')[0]}. Log in to the dashboard in a browser once, or wait, then try again.`,
        error.details,
      )
    : error;
