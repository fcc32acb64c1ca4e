import { createHash, hkdfSync } from 'node:crypto';
import { type Challenge, createChallenge, type Payload, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { type RequestContext } from '#kernel/context/request-context';
import { type MasterKey } from '#infra/crypto/sealer';
import { type CaptchaProof, CaptchaProvider } from './captcha-provider';

/** How long somebody may look at the form. */
const LIFETIME_MS = 10 * 60_000;

/** 256 derivations on average, about a second of a phone; one to check. */
const WORK = { algorithm: 'PBKDF2/SHA-256', cost: 5_000, keyLength: 32, keyPrefix: '00' };

/** Our own answers have about 600 characters. */
const MAX_ANSWER = 4_000;

/**
 * Proof of work in ALTCHA's format (version 2 of it), all in this process. A challenge is not stored: it is signed with a
 * key derived (HKDF-SHA-256) from a master key, so that every process of the service knows its own again.
 */
export class AltchaCaptcha extends CaptchaProvider {
  private readonly secrets: readonly string[];

  /** @param keys the first signs, all verify. */
  constructor(keys: readonly MasterKey[]) {
    super();
    this.secrets = keys.map(({ secret }) =>
      Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), 'agate|captcha', 32)).toString('hex'),
    );
  }

  challenge(ctx: RequestContext): Promise<Challenge> {
    const expiresAt = new Date(ctx.clock.now().getTime() + LIFETIME_MS);
    return createChallenge({ ...WORK, deriveKey, expiresAt, hmacSignatureSecret: this.secrets[0] ?? '' });
  }

  async verify(ctx: RequestContext, answer: string): Promise<CaptchaProof | null> {
    const payload = parse(answer);
    if (!payload || !(await this.isRight(payload))) return null;
    // Signed, hence as we made them.
    const { nonce, expiresAt = 0 } = payload.challenge.parameters;
    const proof = { digest: createHash('sha256').update(nonce).digest(), expiresAt: new Date(expiresAt * 1000) };
    return proof.expiresAt > ctx.clock.now() ? proof : null;
  }

  private async isRight({ challenge, solution }: Payload): Promise<boolean> {
    for (const hmacSignatureSecret of this.secrets) {
      // Those two and no more: by other names an answer would set options of the library.
      const { verified, invalidSignature } = await verifySolution({
        challenge,
        solution,
        deriveKey,
        hmacSignatureSecret,
      });
      if (!invalidSignature) return verified;
    }
    return false;
  }
}

/** Base64 of `{challenge: {parameters, signature}, solution: {counter, derivedKey}}`; null for anything else. */
function parse(answer: string): Payload | null {
  if (answer.length > MAX_ANSWER) return null;
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(answer, 'base64').toString('utf8'));
  } catch {
    return null;
  }
  return isPayload(value) ? value : null;
}

function isPayload(value: unknown): value is Payload {
  const { challenge, solution } = (value ?? {}) as Partial<Record<string, unknown>>;
  if (!isObject(challenge) || !isObject(solution)) return false;
  return isObject(challenge.parameters) && typeof challenge.signature === 'string';
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
