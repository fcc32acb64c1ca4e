import { createHash, hkdfSync } from 'node:crypto';
import { type Challenge, createChallenge, type Payload, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { type RequestContext } from '#kernel/context/request-context';
import { type MasterKey } from '#infra/crypto/sealer';

/** A verified solution. */
export interface CaptchaProof {
  /** SHA-256 of the challenge's nonce: equal for all solutions of one challenge. */
  readonly digest: Buffer;
  /** When the challenge expires. */
  readonly expiresAt: Date;
}

/** The time that a person may take to fill in the form. */
const LIFETIME_MS = 10 * 60_000;

/** 256 key derivations on average, about a second on a phone. Verifying takes one. */
const WORK = { algorithm: 'PBKDF2/SHA-256', cost: 5_000, keyLength: 32, keyPrefix: '00' };

/** The maximum length in characters. A solution has about 600. */
const MAX_SOLUTION_LENGTH = 4_000;

/**
 * Proof of work in the format of ALTCHA version 2. Challenges are not stored: they are signed with a key derived (HKDF-SHA-256) from a
 * master key, so every process of the service can verify them.
 */
export class AltchaCaptcha {
  private readonly secrets: readonly string[];

  /** @param keys the first signs challenges, all verify them. */
  constructor(keys: readonly MasterKey[]) {
    this.secrets = keys.map(({ secret }) =>
      Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), 'agate|captcha', 32)).toString('hex'),
    );
  }

  challenge(ctx: RequestContext): Promise<Challenge> {
    const expiresAt = new Date(ctx.clock.now().getTime() + LIFETIME_MS);
    return createChallenge({ ...WORK, deriveKey, expiresAt, hmacSignatureSecret: this.secrets[0] ?? '' });
  }

  /** @returns null when the solution is malformed, wrong, expired, or of a challenge that this service did not sign. Does not throw. */
  async verify(ctx: RequestContext, encodedSolution: string): Promise<CaptchaProof | null> {
    const payload = parse(encodedSolution);
    if (!payload || !(await this.isCorrect(payload))) return null;
    // The signature was verified, so these are the values of `challenge`.
    const { nonce, expiresAt = 0 } = payload.challenge.parameters;
    const proof = { digest: createHash('sha256').update(nonce).digest(), expiresAt: new Date(expiresAt * 1000) };
    return proof.expiresAt > ctx.clock.now() ? proof : null;
  }

  private async isCorrect({ challenge, solution }: Payload): Promise<boolean> {
    for (const hmacSignatureSecret of this.secrets) {
      // Passes only these two fields, because other fields of the client's payload would set options of the library.
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

/** Decodes base64 of `{challenge: {parameters, signature}, solution: {counter, derivedKey}}`. Null for anything else. */
function parse(encoded: string): Payload | null {
  if (encoded.length > MAX_SOLUTION_LENGTH) return null;
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(encoded, 'base64').toString('utf8'));
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
