import { type Context } from '../context';
import { usageError } from '../output/cli-error';
import { ask } from '../terminal/questions';
import { configuredAddress, serviceAddress } from '../settings/settings';
import { type CredentialsFile } from './credentials-file';

/** The address of the service to log in to. A person is asked when no setting names it. @throws CliError when it is unknown. */
export async function addressToLogInTo(context: Context): Promise<string> {
  const configured = configuredAddress(context.options, context.process.cwd);
  if (configured !== undefined) return configured;
  if (context.isInteractive) return serviceAddress(await ask(context, 'Address of the service:'));
  throw usageError('The address of the service is not known. Set AGATE_URL, or use --url.');
}

/** The address of a service with a stored login: the configured one, or the only one. @throws CliError when there is none. */
export function addressOfLogin(context: Context, file: CredentialsFile): string {
  const stored = Object.keys(file.read());
  const url = configuredAddress(context.options, context.process.cwd) ?? (stored.length === 1 ? stored[0] : undefined);
  if (url !== undefined && stored.includes(url)) return url;
  if (stored.length === 0) throw usageError('You are not logged in to any service.');
  throw usageError(
    url === undefined
      ? `You are logged in to several services: ${stored.join(', ')}. Choose one with --url or AGATE_URL.`
      : `You are not logged in to ${url}. There are logins to ${stored.join(', ')}.`,
  );
}
