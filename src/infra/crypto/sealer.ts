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

/** A key that seals secrets at rest. Sealed values contain its id, so that keys can be rotated. */
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
 * Authenticated encryption of small secrets at rest: AES-256-GCM with a key that HKDF-SHA-256 derives from a master key and
 * a context. A sealed value opens only in its own context: it does not open when it is moved to another row or field, or
 * when any bit is changed. Layout: version, key id length, key id, IV, tag, ciphertext.
 */
export class Sealer {
  private readonly keys: readonly SealingKey[];
  private readonly byId: ReadonlyMap<string, SealingKey>;

  /** @param keys the first key seals; all keys open. */
  constructor(keys: readonly MasterKey[]) {
    this.keys = keys.map(({ id, secret }) => ({ id, extracted: extract(secret) }));
    this.byId = new Map(this.keys.map((key) => [key.id, key]));
  }

  /** The first bytes of every value that is sealed with the current key. They name the key. */
  get currentHead(): Buffer {
    return headOf(this.current);
  }

  /** @param context the place of the secret, for example `invite|<id>`. `open` needs the same context. */
  seal(plaintext: Buffer, context: string): Buffer {
    const key = this.current;
    const head = headOf(key);
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', derive(key, context), iv, { authTagLength: TAG_BYTES });
    cipher.setAAD(Buffer.concat([head, Buffer.from(context, 'utf8')]));
    const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()]);
    return Buffer.concat([head, iv, cipher.getAuthTag(), ciphertext]);
  }

  /** @throws SealError when the value has another context or an unknown key, or was changed. */
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

/** A sealed value cannot be opened. */
export class SealError extends Error {
  constructor(options?: ErrorOptions) {
    super(
      'A sealed value cannot be opened: it belongs to another context, its key is missing from MASTER_KEYS, or it was changed.',
      options,
    );
    this.name = 'SealError';
  }
}

/** HKDF-Extract (RFC 5869). Computed once per key, because a page of builds derives a hundred keys from it. */
const extract = (secret: Buffer): KeyObject =>
  createSecretKey(createHmac('sha256', Buffer.alloc(32)).update(secret).digest());

/** HKDF-Expand: its first block of 32 bytes. */
const derive = ({ extracted }: SealingKey, context: string): Buffer =>
  createHmac('sha256', extracted).update(`agate|seal|${context}\x01`).digest();
