import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { StartupError } from '#kernel/errors/startup-error';

const VERSION = 1;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** A key that seals secrets at rest. Its id travels with what it sealed, so that keys can be rotated. */
export interface MasterKey {
  readonly id: string;
  /** 32 bytes. */
  readonly secret: Buffer;
}

interface SealingKey {
  readonly id: string;
  readonly extracted: KeyObject;
}

/**
 * Authenticated encryption of small secrets at rest: AES-256-GCM under a key derived (HKDF-SHA-256) from a master key and
 * the context in which the secret stands. A sealed value opens in its own context only: moved to another row or field,
 * or with any bit changed, it does not open. Layout: version, key id length, key id, iv, tag, ciphertext.
 */
export class Sealer {
  private readonly keys: readonly SealingKey[];
  private readonly byId: ReadonlyMap<string, SealingKey>;

  /** @param keys the first seals; all open. */
  constructor(keys: readonly MasterKey[]) {
    this.keys = keys.map(({ id, secret }) => ({ id, extracted: extract(secret) }));
    this.byId = new Map(this.keys.map((key) => [key.id, key]));
  }

  /** How everything begins that is sealed now: it names the key. */
  get currentHead(): Buffer {
    return headOf(this.current);
  }

  /** @param context where the secret stands, e.g. `invite|<id>`; needed again to open it. */
  seal(plaintext: Buffer, context: string): Buffer {
    const key = this.current;
    const head = headOf(key);
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', derive(key, context), iv, { authTagLength: TAG_BYTES });
    cipher.setAAD(Buffer.concat([head, Buffer.from(context, 'utf8')]));
    const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()]);
    return Buffer.concat([head, iv, cipher.getAuthTag(), ciphertext]);
  }

  /** @throws SealError when it was sealed elsewhere, by an unknown key, or was changed. */
  open(sealed: Buffer, context: string): Buffer {
    const idEnd = 2 + (sealed[1] ?? 0);
    const key = this.byId.get(sealed.subarray(2, idEnd).toString('utf8'));
    if (sealed[0] !== VERSION || !key || sealed.length < idEnd + IV_BYTES + TAG_BYTES) throw new SealError();
    const iv = sealed.subarray(idEnd, idEnd + IV_BYTES);
    const tag = sealed.subarray(idEnd + IV_BYTES, idEnd + IV_BYTES + TAG_BYTES);
    const decipher = createDecipheriv('aes-256-gcm', derive(key, context), iv, { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.concat([sealed.subarray(0, idEnd), Buffer.from(context, 'utf8')]));
    decipher.setAuthTag(tag);
    try {
      return Buffer.concat([decipher.update(sealed.subarray(idEnd + IV_BYTES + TAG_BYTES)), decipher.final()]);
    } catch (error) {
      throw new SealError({ cause: error });
    }
  }

  private get current(): SealingKey {
    const [key] = this.keys;
    if (!key) throw new StartupError('No master key: set MASTER_KEYS.');
    return key;
  }
}

function headOf({ id }: SealingKey): Buffer {
  const name = Buffer.from(id, 'utf8');
  return Buffer.concat([Buffer.from([VERSION, name.length]), name]);
}

/** A sealed value that does not open. */
export class SealError extends Error {
  constructor(options?: ErrorOptions) {
    super('A sealed value does not open: it was sealed elsewhere, by a key that is gone, or was changed.', options);
    this.name = 'SealError';
  }
}

/** The half of HKDF (RFC 5869) that the context has no part in; a page of builds derives a hundred keys from it. */
const extract = (secret: Buffer): KeyObject =>
  createSecretKey(createHmac('sha256', Buffer.alloc(32)).update(secret).digest());

/** The other half: the first and only block of 32 bytes. */
const derive = ({ extracted }: SealingKey, context: string): Buffer =>
  createHmac('sha256', extracted).update(`agate|seal|${context}\x01`).digest();
