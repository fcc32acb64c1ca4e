import { createHash } from 'node:crypto';
import { type Clock } from '#kernel/context/clock';
import { type Sealer, SealError } from '#infra/crypto/sealer';
import { confirmationError, type TokenCredential } from './agent-api';

const LIFETIME_MS = 5 * 60_000;
const CONTEXT = 'mcp-confirmation';

/** A call of a tool by a token. */
export interface ConfirmedCall {
  readonly tool: string;
  /** Without the confirmation. */
  readonly input: object;
  readonly credential: TokenCredential;
}

/**
 * Confirmations of calls that mail people or delete something. One is valid for five minutes, for the same arguments and the same token, and
 * once: the idempotency key of the change is derived from it, so a second use finds the response of the first.
 */
export class Confirmations {
  constructor(
    private readonly sealer: Pick<Sealer, 'seal' | 'open'>,
    private readonly clock: Clock,
  ) {}

  issue(call: ConfirmedCall): string {
    const content = JSON.stringify({ at: this.clock.now().getTime(), call: digestOf(call) });
    return this.sealer.seal(Buffer.from(content), CONTEXT).toString('base64url');
  }

  /** @returns the idempotency key of the change. @throws ApiError operation_not_allowed */
  check(confirmation: string, call: ConfirmedCall): string {
    const { at, call: confirmed } = this.open(confirmation);
    const age = this.clock.now().getTime() - at;
    if (age < 0 || age > LIFETIME_MS) throw confirmationError('expired');
    if (confirmed !== digestOf(call)) throw confirmationError('mismatch');
    return keyOf(confirmation);
  }

  private open(confirmation: string): { readonly at: number; readonly call: string } {
    try {
      const content = this.sealer.open(Buffer.from(confirmation, 'base64url'), CONTEXT);
      return JSON.parse(content.toString()) as { at: number; call: string };
    } catch (error) {
      if (error instanceof SealError || error instanceof RangeError || error instanceof TypeError)
        throw confirmationError('invalid');
      throw error;
    }
  }
}

function digestOf({ tool, input, credential: { kind, id } }: ConfirmedCall): string {
  const fields = Object.entries(input).filter(([, value]) => value !== undefined);
  const sorted = fields.sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([tool, kind, id, sorted]))
    .digest('base64url');
}

/** A UUID of version 8 (RFC 9562). Base64url has several spellings of the same bytes, so it is derived from the bytes. */
function keyOf(confirmation: string): string {
  const hash = createHash('sha256').update(Buffer.from(confirmation, 'base64url')).digest('hex');
  const variant = ((Number.parseInt(hash.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-${variant}${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}
