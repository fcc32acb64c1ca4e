import { type Context } from '../context';
import { usageError } from '../output/cli-error';
import { type CredentialsFile } from '../settings/credentials-file';
import { PROJECT_FILE } from '../settings/project-file';
import { serviceAddress } from '../settings/service-address';
import { addressInProjectFile, isTrustedAddress } from '../settings/settings';
import { agrees, ask } from '../terminal/questions';

/**
 * The address of the service to log in to. A person is asked when no setting names it, and before the address of a project file is used
 * for the first time: the author of a repository chooses it.
 * @throws CliError when it is unknown, or when the person refuses it.
 */
export async function addressToLogInTo(context: Context): Promise<string> {
  const { options, environment, process, isInteractive } = context;
  if (options.url !== undefined) return serviceAddress(options.url);
  const address = addressInProjectFile(process.cwd);
  if (address !== undefined && isTrustedAddress(address, environment)) return address;
  if (!isInteractive) throw usageError(`The address of the service is not known. ${howToName(address)}`);
  if (address === undefined) return serviceAddress(await ask(context, 'Address of the service:'));
  if (await agrees(context, `${PROJECT_FILE} names ${address}, where you never logged in. Log in there?`))
    return address;
  throw usageError(howToName(undefined));
}

const howToName = (address: string | undefined): string =>
  address === undefined
    ? 'Set AGATE_URL, or use --url.'
    : `${PROJECT_FILE} names ${address}. If you trust that service, use --url ${address}.`;

/** The address of a service with a stored login: the configured one, or the only one. @throws CliError when there is none. */
export function addressOfLogin(context: Context, file: CredentialsFile): string {
  const stored = Object.keys(file.read());
  const url = configuredAddress(context) ?? (stored.length === 1 ? stored[0] : undefined);
  if (url !== undefined && stored.includes(url)) return url;
  if (stored.length === 0) throw usageError('You are not logged in to any service.');
  throw usageError(
    url === undefined
      ? `You are logged in to several services: ${stored.join(', ')}. Choose one with --url or AGATE_URL.`
      : `You are not logged in to ${url}. There are logins to ${stored.join(', ')}.`,
  );
}

const configuredAddress = ({ options, process }: Context): string | undefined =>
  options.url === undefined ? addressInProjectFile(process.cwd) : serviceAddress(options.url);
