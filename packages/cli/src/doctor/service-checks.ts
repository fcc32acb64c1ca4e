import { ApiError, Client, type ServiceResponse } from '@agate/client';
import { connectionErrorOf } from '../output/connection-errors';
import { type Check, failed, ok, warning } from './check';

const TIMEOUT_MS = 15_000;
const MAX_CLOCK_DIFFERENCE_MS = 60_000;

/** The service's own settings, and the time of its response. */
export interface FoundService {
  readonly service: ServiceResponse;
  /** Milliseconds that the clock of this machine is ahead of that of the service. Negative when it is behind. */
  readonly aheadMs: number;
}

/** A client that does not retry: a diagnosis is about the present state. */
export const probingClient = (url: string, token?: string): Client =>
  new Client({
    baseUrl: url,
    ...(token !== undefined && { headers: { Authorization: `Bearer ${token}` } }),
    fetch: (input, init) => fetch(input, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) }),
  });

/** Checks whether an Agate service responds at an address. @returns its settings, or the check that failed. */
export async function findService(url: string, now: () => number): Promise<FoundService | Check> {
  const started = now();
  try {
    const response = await fetch(`${url}/api/v1/service`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const received = Date.parse(response.headers.get('Date') ?? '');
    const service = (await response.json().catch(() => null)) as Partial<ServiceResponse> | null;
    if (response.ok && typeof service?.install_base_url === 'string') {
      // The header has whole seconds: half a second is its expected error.
      const aheadMs = Number.isNaN(received) ? 0 : (started + now()) / 2 - received - 500;
      return { service: service as ServiceResponse, aheadMs };
    }
    return failed(
      'service',
      `The server at ${url} is not Agate (status ${response.status}).`,
      'Correct AGATE_URL: it is the address of the service, without a path.',
    );
  } catch (error) {
    return failed(
      'service',
      `Nothing responds at ${url} (${connectionErrorOf(error) ?? 'unknown error'}).`,
      'Check AGATE_URL, that the service runs there, and that a firewall or proxy lets this machine through.',
    );
  }
}

/** Whether the service is ready for requests. */
export async function readyCheck(client: Client): Promise<Check> {
  try {
    await client.request('GET /ready');
    return ok('ready', 'The service is ready.');
  } catch (error) {
    const { checks = [] } = (error instanceof ApiError ? error.details : {}) as {
      checks?: { name: string; status: string }[];
    };
    const broken = checks.filter(({ status }) => status !== 'ok').map(({ name }) => name);
    return failed(
      'ready',
      `The service is not ready${broken.length > 0 ? ` (${broken.join(', ')})` : ''}.`,
      'Have the operator look at its log.',
    );
  }
}

/** The release of a version, without the commit that versions between releases have. */
const releaseOf = (version: string): string => version.split('+', 1)[0]!;

/** Whether this program and the service are of the same release. */
export function versionCheck(own: string, { version, base_url: url }: ServiceResponse): Check {
  if (releaseOf(own) === releaseOf(version))
    return ok('version', `The service and this program have the version ${version}.`);
  return warning(
    'version',
    `The service has the version ${version}, this program ${own}.`,
    `Use the one that the service offers: npx -y ${url}/cli/agate-${version}.tgz`,
  );
}

/** Whether the clocks agree. Signed addresses and certificates depend on them. */
export function clockCheck(aheadMs: number): Check {
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  if (Math.abs(aheadMs) <= MAX_CLOCK_DIFFERENCE_MS)
    return ok('clock', 'The clocks of this machine and of the service agree.');
  return failed(
    'clock',
    `The clock of this machine is ${seconds} seconds ${aheadMs > 0 ? 'ahead of' : 'behind'} that of the service.`,
    'Set the clock of the wrong machine, for example with NTP. Signed addresses fail otherwise.',
  );
}
