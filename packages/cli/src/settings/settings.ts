import { type Environment } from '../environment';
import { credentialError, usageError } from '../output/cli-error';
import { runCredentialCommand } from './credential-command';
import { CredentialsFile } from './credentials-file';
import { PROJECT_FILE, readProjectFile } from './project-file';
import { rejectPlainHttp, serviceAddress } from './service-address';

/** The options that every command has. Commander fills them from options and `AGATE_…` variables. */
export interface GlobalOptions {
  readonly url?: string;
  readonly organization?: string;
  readonly project?: string;
  readonly retryFor?: number;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly debug?: boolean;
}

/** The configuration: by option, variable, project file or stored login; the first one found counts. */
export interface Settings {
  /** The address of the service, without a slash at its end. */
  readonly url: string;
  /** Null when there is none. Commands that need one call `Context.client`. */
  readonly token: string | null;
  /** Names or ids. */
  readonly organization: string | undefined;
  readonly project: string | undefined;
  /** Names or ids of the channels in the project file. */
  readonly channels: readonly string[];
  readonly parallel: number | undefined;
}

/** @throws CliError when a setting is not valid, or when the address of the service is not known. */
export function loadSettings(options: GlobalOptions, environment: Environment, cwd: string): Settings {
  const file = readProjectFile(cwd);
  const { url, token } = loadLogin(options.url, file.url, environment);
  return {
    url,
    token,
    organization: options.organization ?? file.organization,
    project: options.project ?? file.project,
    channels: [file.channel ?? []].flat(),
    parallel: file.parallel,
  };
}

function loadLogin(
  named: string | undefined,
  inFile: string | undefined,
  environment: Environment,
): Pick<Settings, 'url' | 'token'> {
  const address = named ?? inFile;
  const given = address && serviceAddress(address);
  if (named === undefined && hasTokenInVariables(environment)) rejectForeign(given, environment);
  const variable = tokenInVariables(environment);
  const stored = variable === null ? findStoredLogin(given, environment) : null;
  const url = given ?? stored?.url;
  if (url === undefined) {
    throw usageError('The address of the service is not known. Set AGATE_URL, or use --url or agate login.');
  }
  return { url, token: sendable(variable ?? stored?.token ?? null, url) };
}

/** The token, when it may be sent to the address. @throws CliError otherwise. */
function sendable(token: string | null, url: string): string | null {
  if (token === null) return null;
  checkForm(token);
  rejectPlainHttp(url);
  return token;
}

/**
 * Rejects to send the token of a variable to an address that only the project file names: the author of a repository chooses that
 * address, and not the owner of the token.
 */
function rejectForeign(address: string | undefined, environment: Environment): void {
  if (address === undefined || isTrustedAddress(address, environment)) return;
  throw usageError(
    `Only ${PROJECT_FILE} names ${address}, so the token of this environment is not sent there. If you trust that service, set AGATE_URL or use --url ${address}.`,
  );
}

/** Whether the user chose the service of the project file: by an earlier login to it, or by trusting project files as a whole. */
export const isTrustedAddress = (address: string, environment: Environment): boolean =>
  environment['AGATE_TRUST_PROJECT_FILE'] !== undefined ||
  Object.hasOwn(new CredentialsFile(environment).read(), address);

const hasTokenInVariables = ({ AGATE_TOKEN: token, AGATE_CREDENTIAL_COMMAND: command }: Environment): boolean =>
  Boolean(token?.trim() || command);

/** The token of a variable, or the one that its command prints. Null when there is neither. */
function tokenInVariables(environment: Environment): string | null {
  const { AGATE_TOKEN: token, AGATE_CREDENTIAL_COMMAND: command } = environment;
  if (token?.trim()) return token.trim();
  return command ? runCredentialCommand(command, environment) : null;
}

/** The address of the service in the project file. Undefined when none names it. */
export function addressInProjectFile(cwd: string): string | undefined {
  const { url } = readProjectFile(cwd);
  return url && serviceAddress(url);
}

/** Detects, before anything is sent, tokens that were truncated or pasted with other text. */
function checkForm(token: string): void {
  if (/[^\u0021-\u007e]/.test(token)) {
    throw credentialError('The token contains spaces or line breaks. Set AGATE_TOKEN to the token alone.');
  }
}

/** A credential that `agate login` has stored for a service. */
interface StoredLogin {
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
