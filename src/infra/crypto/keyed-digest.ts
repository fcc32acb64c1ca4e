import { createHmac, hkdfSync } from 'node:crypto';

/**
 * Digests of guessable values such as e-mail addresses: without the service's key, they cannot be found by trying a list of
 * guesses. HMAC-SHA-256 with a key that HKDF derives from the pepper, which never changes.
 */
export class KeyedDigest {
  private readonly key: Buffer;

  constructor(pepper: Buffer) {
    this.key = Buffer.from(hkdfSync('sha256', pepper, Buffer.alloc(0), 'agate|keyed-digest', 32));
  }

  /** @param place what the digest identifies and where it is stored. The same text has different digests in different places. */
  of(place: string, text: string): Buffer {
    return createHmac('sha256', this.key)
      .update(JSON.stringify([place, text]))
      .digest();
  }
}
