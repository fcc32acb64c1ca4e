import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '#kernel/context/clock';
import { AppError } from '#kernel/errors/app-error';
import { cleanText } from '#kernel/text/text';
import { OutgoingAgents } from '#infra/network/outgoing-agents';
import { plainRequest } from '#infra/network/plain-request';
import { withTimeLimit } from '#infra/network/time-limit';
import { WebhookHosts } from '../endpoints/webhook-hosts';
import { type DeliveryError } from '../webhook';
import { type Attempt, retryAfterOf } from './attempt';

const TIMEOUT_MS = 15_000;
/** The part of a response that is kept. */
const ANSWER_BYTES = 1_024;

interface Message {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Sends messages to the endpoints of customers: only to allowed addresses, once, without redirects. */
@Injectable()
export class WebhookClient implements OnModuleDestroy {
  private readonly agents: OutgoingAgents;

  constructor(
    private readonly hosts: WebhookHosts,
    private readonly clock: Clock,
  ) {
    this.agents = new OutgoingAgents({ allowed: hosts.allowed });
  }

  onModuleDestroy(): void {
    this.agents.close();
  }

  /** @param signal aborts when the process stops. @throws the reason of `signal`; every other failure is an outcome. */
  async post({ url, headers, body }: Message, signal: AbortSignal): Promise<Attempt> {
    const started = performance.now();
    const tookMs = (): number => performance.now() - started;
    let isOver = false;
    try {
      const response = await withTimeLimit(signal, TIMEOUT_MS, (limited) => {
        limited.addEventListener('abort', () => (isOver = true), { once: true });
        return plainRequest(this.agents, 'POST', this.hosts.require(url).href, limited, {
          headers: {
            'Content-Type': 'application/json; charset=utf-8',
            'User-Agent': 'Agate-Webhooks/1',
            // A connection that the endpoint closes while it is idle would look like a failure.
            Connection: 'close',
            ...headers,
          },
          body,
          maxBytes: ANSWER_BYTES,
        });
      });
      const { status } = response;
      const error = status >= 200 && status < 300 ? null : 'status';
      const retryAfterMs = retryAfterOf(response.retryAfter, this.clock.now());
      return { status, error, tookMs: tookMs(), answer: textOf(response.body), retryAfterMs };
    } catch (error) {
      signal.throwIfAborted();
      // The abort of a response that has begun looks like a lost connection.
      const reason = isOver ? 'timeout' : errorOf(error);
      return { status: null, error: reason, tookMs: tookMs(), answer: null, retryAfterMs: null };
    }
  }
}

const textOf = (body: Buffer): string | null => cleanText(body.toString('utf8'), ANSWER_BYTES) || null;

const ERRORS: readonly (readonly [RegExp, DeliveryError])[] = [
  [/^(EADDRREFUSED|ENOTFOUND|EAI_\w+|ENODATA)$/, 'not_public'],
  [/^(ETIMEDOUT|ESILENT|ABORT_ERR)$/, 'timeout'],
  [/^(ERR_TLS\w*|ERR_SSL\w*|EPROTO|CERT_\w+|\w*CERT\w*|UNABLE_TO_\w+)$/, 'tls'],
];

function errorOf(error: unknown): DeliveryError {
  if (error instanceof AppError) return 'not_public';
  if (error instanceof DOMException) return 'timeout';
  const { code } = error as { readonly code?: unknown };
  const found = ERRORS.find(([codes]) => typeof code === 'string' && codes.test(code));
  return found?.[1] ?? 'connection';
}
