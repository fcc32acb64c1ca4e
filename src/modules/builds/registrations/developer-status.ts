import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { AndroidConfig } from '#infra/config/config';
import { Logger } from '#infra/logging/logger';
import { CircuitBreaker } from '#infra/network/circuit-breaker';
import { OutgoingAgents } from '#infra/network/outgoing-agents';
import { plainRequest, type PlainResponse } from '#infra/network/plain-request';
import { withTimeLimit } from '#infra/network/time-limit';
import { type RegistrationState, type SignedPackageName } from './registration';

const TIMEOUT_MS = 10_000;

const STATES: ReadonlyMap<unknown, RegistrationState> = new Map([
  ['REGISTERED', 'registered'],
  ['NOT_REGISTERED', 'not_registered'],
  ['REGISTERED_WITH_ANOTHER_CERTIFICATE_FINGERPRINT', 'other_certificate'],
]);

/** The Android Developer Status API gives no answer about any package now: it is unavailable, or rejects the key or the number of requests. */
export class StatusUnavailable extends Error {
  /** @param status the status of the response; null without one. */
  constructor(
    readonly status: number | null,
    cause?: unknown,
  ) {
    super(
      status === null
        ? 'The Android Developer Status API did not respond'
        : `The Android Developer Status API responded with ${status}`,
      { cause },
    );
    this.name = 'StatusUnavailable';
  }
}

/** Requests Google's Android Developer Status API. */
@Injectable()
export class DeveloperStatus implements OnModuleDestroy {
  private readonly agents = new OutgoingAgents();
  private readonly circuit: CircuitBreaker;
  /** The separator of the parts of a package name that the API accepted last: its guide has dots, its generated clients hyphens. */
  private separator: '.' | '-' = '.';

  constructor(
    private readonly config: AndroidConfig,
    logger: Logger,
  ) {
    this.circuit = new CircuitBreaker({
      server: 'The Android Developer Status API',
      isOutage: (error) => error instanceof StatusUnavailable,
      onChange: (isOpen) => logger.warn({ isOpen }, 'The Android Developer Status API changed between working and not'),
    });
  }

  onModuleDestroy(): void {
    this.agents.close();
  }

  /**
   * The state of a package. `unknown` when the API does not know the package name or gives another response.
   * @throws StatusUnavailable, CircuitOpenError
   */
  async stateOf(signed: SignedPackageName, signal: AbortSignal): Promise<RegistrationState> {
    const response = await this.circuit.run(() => this.request(signed, signal));
    if (response.status !== 200) return 'unknown';
    return STATES.get(stateIn(response.body)) ?? 'unknown';
  }

  /** Tries the other spelling of the package name when the API rejects one. */
  private async request(signed: SignedPackageName, signal: AbortSignal): Promise<PlainResponse> {
    const first = await this.send(signed, this.separator, signal);
    if (first.status !== 400) return first;
    const other = this.separator === '.' ? '-' : '.';
    const second = await this.send(signed, other, signal);
    if (second.status === 200) this.separator = other;
    return second;
  }

  private async send(
    { packageName, certificateSha256 }: SignedPackageName,
    separator: string,
    signal: AbortSignal,
  ): Promise<PlainResponse> {
    const name = encodeURIComponent(packageName.replaceAll('.', separator));
    const base = this.config.url.replace(/\/+$/, '');
    const url = `${base}/v1/packages/${name}/packageRegistrationStatus:check?certificateFingerprint=${certificateSha256}`;
    const headers = { 'X-Goog-Api-Key': this.config.apiKey ?? '', Accept: 'application/json' };
    const response = await withTimeLimit(signal, TIMEOUT_MS, (limited) =>
      plainRequest(this.agents, 'GET', url, limited, { headers }),
    ).catch((error: unknown) => {
      signal.throwIfAborted();
      throw new StatusUnavailable(null, error);
    });
    if (response.status === 200 || response.status === 400 || response.status === 404) return response;
    throw new StatusUnavailable(response.status);
  }
}

/** The state in a response. Undefined when it is not the expected JSON. */
function stateIn(body: Buffer): unknown {
  try {
    return (JSON.parse(body.toString('utf8')) as { readonly state?: unknown } | null)?.state;
  } catch {
    return undefined;
  }
}
