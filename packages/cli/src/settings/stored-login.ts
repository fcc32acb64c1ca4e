import { runCredentialCommand } from '../login/credential-command';
import { CredentialsFile } from '../login/credentials-file';
import { usageError } from '../output/cli-error';
import { type Environment } from './settings';

/** A credential that `agate login` has stored for a service. */
export interface StoredLogin {
  readonly url: string;
  readonly token: string;
}

/**
 * Finds the stored credential of a service, or the only one when `url` is undefined. Null when there is none. The credential of one
 * service is never returned for another, which a project file may name.
 * @throws CliError when several are stored and `url` is undefined, when the file is not safe, or when its command fails.
 */
export function findStoredLogin(url: string | undefined, environment: Environment): StoredLogin | null {
  const logins = new CredentialsFile(environment).read();
  const address = url ?? theOnly(Object.keys(logins));
  const login = address === undefined ? undefined : logins[address];
  if (address === undefined || login === undefined) return null;
  const { token, credential_command: command } = login;
  if (token !== undefined) return { url: address, token };
  return command === undefined ? null : { url: address, token: runCredentialCommand(command, environment) };
}

function theOnly(urls: readonly string[]): string | undefined {
  if (urls.length < 2) return urls[0];
  throw usageError(`You are logged in to several services: ${urls.join(', ')}. Choose one with --url or AGATE_URL.`);
}
