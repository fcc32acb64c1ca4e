import {
  ApiError,
  type Client,
  isTransient,
  type NewPersonalAccessTokenResponse,
  type ResponseOf,
  sleep,
} from '@agate/client';
import { type Context } from '../context';
import { CliError, ExitCode } from '../output/cli-error';
import { openAddress } from '../terminal/open-address';
import { hostName, type TokenScope } from './scopes';

/** RFC 8628, section 3.5. */
const SLOW_DOWN_SECONDS = 5;

type Started = ResponseOf<'POST /login/device'>;

/**
 * Gets a token that a developer confirms in a browser. Null when the service has no page for that.
 * @throws CliError when the developer cancels, or does not confirm in time.
 */
export async function logInWithBrowser(
  context: Context,
  client: Client,
  scopes: readonly TokenScope[],
): Promise<NewPersonalAccessTokenResponse | null> {
  const started = await start(client, scopes);
  if (started === null) return null;
  await explain(context, started);
  const deadline = context.process.now() + started.expires_in * 1_000;
  for (let seconds = started.interval; context.process.now() < deadline;) {
    await sleep(seconds * 1_000, context.signal);
    try {
      return await client.request('POST /login/device/token', { body: { device_code: started.device_code } });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.reason === 'access_denied') throw denied('The login was cancelled in the browser.');
      if (error.reason === 'expired_token') break;
      // A person may be confirming the login while the service is briefly unavailable.
      if (error.reason === 'slow_down' || isTransient(error)) seconds += SLOW_DOWN_SECONDS;
      else if (error.reason !== 'authorization_pending') throw error;
    }
  }
  throw denied('The login was not confirmed in time. Start it again with agate login.');
}

async function start(client: Client, scopes: readonly TokenScope[]): Promise<Started | null> {
  try {
    return await client.request('POST /login/device', { body: { host: hostName(), scopes } });
  } catch (error) {
    // Services of earlier versions lack this route.
    if (error instanceof ApiError && (error.reason === 'no_dashboard' || error.status === 404)) return null;
    throw error;
  }
}

async function explain(context: Context, started: Started): Promise<void> {
  const { output } = context;
  const { bold } = output.colors;
  output.say(`Open ${bold(started.verification_uri)} in a browser and enter the code ${bold(started.user_code)}`);
  output.say(`or open ${started.verification_uri_complete}`);
  output.say('Confirm only the code that you see here.');
  if (context.isInteractive) await openAddress(started.verification_uri_complete);
}

const denied = (message: string): CliError => new CliError(ExitCode.notAllowed, 'unauthorized', message);
