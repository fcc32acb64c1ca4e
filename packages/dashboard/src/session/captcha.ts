interface Parameters {
  readonly nonce: string;
  readonly salt: string;
  readonly cost: number;
  readonly keyLength: number;
  readonly keyPrefix: string;
}

export interface Challenge {
  readonly parameters: Record<string, unknown>;
  readonly signature: string;
}

const bytes = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
const hex = (buffer: ArrayBuffer): string =>
  Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, '0')).join('');

/**
 * Solves a proof of work (ALTCHA version 2: PBKDF2/SHA-256 of nonce and counter) and returns the value of the field `captcha`. Null when
 * the browser cannot: it provides `crypto.subtle` only on https pages and on localhost.
 */
export async function solveCaptcha(challenge: Challenge): Promise<string | null> {
  const { subtle } = crypto as { subtle?: SubtleCrypto };
  if (!subtle) return null;
  const { nonce, salt, cost, keyLength, keyPrefix } = challenge.parameters as unknown as Parameters;
  const start = bytes(nonce);
  const password = new Uint8Array(start.length + 4);
  password.set(start);
  const counterOf = new DataView(password.buffer);
  const algorithm = { name: 'PBKDF2', hash: 'SHA-256', salt: bytes(salt), iterations: cost };
  for (let counter = 0; ; counter++) {
    counterOf.setUint32(start.length, counter);
    const key = await subtle.importKey('raw', password, 'PBKDF2', false, ['deriveBits']);
    const derivedKey = hex(await subtle.deriveBits(algorithm, key, keyLength * 8));
    if (derivedKey.startsWith(keyPrefix)) return btoa(JSON.stringify({ challenge, solution: { counter, derivedKey } }));
  }
}
