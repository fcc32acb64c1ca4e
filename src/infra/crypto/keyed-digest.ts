import { createHmac, hkdfSync } from 'node:crypto';

/**
 * Digests of what could be guessed, such as an e-mail address: without the service's key nobody can try a list of guesses on
 * them. HMAC-SHA-256 under a key derived (HKDF) from the pepper, which never changes.
 */
export class KeyedDigest {
  private readonly key: Buffer;

  constructor(pepper: Buffer) {
    this.key = Buffer.from(hkdfSync('sha256', pepper, Buffer.alloc(0), 'agate|keyed-digest', 32));
  }

  /** @param place what the digest is of and where it stands: the same text has another digest in another place. */
  of(place: string, text: string): Buffer {
    return createHmac('sha256', this.key)
      .update(JSON.stringify([place, text]))
      .digest();
  }
}
