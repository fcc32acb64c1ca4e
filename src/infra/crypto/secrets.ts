import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  randomUUID,
} from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StartupError } from '#kernel/errors/startup-error';
import { RuntimeConfig, SecretsConfig } from '#infra/config/config';
import { type Config } from '#infra/config/load-config';
import { isPlaceholder } from '#infra/config/problems/placeholder';
import { type MasterKey } from './sealer';

/** A key pair that signs access tokens. `id` is the JWT's `kid`. */
export interface SigningKey {
  readonly id: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

/** The secrets of the service. */
export class Secrets {
  constructor(
    /** The first key signs; all keys verify. */
    readonly signingKeys: readonly SigningKey[],
    /** The first key seals; all keys open. */
    readonly masterKeys: readonly MasterKey[],
    readonly passwordPepper: Buffer,
  ) {}
}

/**
 * Reads the secrets from the configuration. Outside production, missing secrets are generated once and stored in
 * `DATA_DIR/keys`, readable by the owner only. Production does not start without configured secrets, even if `DATA_DIR/keys`
 * exists.
 * @throws StartupError when a secret is missing or invalid.
 */
export function loadSecrets(config: Config): Secrets {
  const { jwtPrivateKeysFile, masterKeys, passwordPepper } = config.get(SecretsConfig);
  const runtime = config.get(RuntimeConfig);
  const storedOrNew = (name: string, variable: string, make: () => string): string => {
    if (runtime.environment === 'production') throw new StartupError(`${variable}: required in production.`);
    return readOrCreateSecret(join(runtime.dataDirectory, 'keys'), name, make);
  };
  const pem = jwtPrivateKeysFile
    ? readKeyFile(jwtPrivateKeysFile)
    : storedOrNew('jwt-private-keys.pem', 'JWT_PRIVATE_KEYS_FILE', newSigningKeyPem);
  const masters =
    masterKeys ?? storedOrNew('master-keys', 'MASTER_KEYS', () => `k1:${randomBytes(32).toString('base64')}`);
  const pepper =
    passwordPepper ?? storedOrNew('password-pepper', 'PASSWORD_PEPPER', () => randomBytes(32).toString('base64'));
  const secrets = new Secrets(parseSigningKeys(pem), parseMasterKeys(masters), parsePepper(pepper));
  if (runtime.environment === 'production') rejectPlaceholders(secrets);
  return secrets;
}

/** @throws StartupError that names each variable that holds a placeholder or a repeated key. */
function rejectPlaceholders({ masterKeys, passwordPepper }: Secrets): void {
  const masters = masterKeys.map(({ secret }) => secret);
  const problems = [
    ...(masters.some(isPlaceholder) ? ['MASTER_KEYS: placeholders are rejected in production. Use random bytes.'] : []),
    ...(isPlaceholder(passwordPepper)
      ? ['PASSWORD_PEPPER: placeholders are rejected in production. Use random bytes.']
      : []),
    ...(new Set(masters.map((secret) => secret.toString('hex'))).size < masters.length
      ? ['MASTER_KEYS: two keys are equal. Use different keys.']
      : []),
    ...(masters.some((secret) => secret.equals(passwordPepper))
      ? ['PASSWORD_PEPPER: equal to one of MASTER_KEYS. Use a different secret.']
      : []),
  ];
  if (problems.length > 0) throw new StartupError(problems.join('\n'));
}

function readKeyFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new StartupError(
      `JWT_PRIVATE_KEYS_FILE: the file cannot be read (${(error as NodeJS.ErrnoException).code}).`,
    );
  }
}

function readOrCreateSecret(directory: string, name: string, make: () => string): string {
  const path = join(directory, name);
  if (!existsSync(path)) {
    // DATA_DIR itself keeps its default mode: it holds more than keys.
    mkdirSync(dirname(directory), { recursive: true });
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    createAtomically(path, make());
  }
  return readFileSync(path, 'utf8').trim();
}

/** Creates the file only if it does not exist, and never leaves a partial file: several processes may start concurrently, or crash. */
function createAtomically(path: string, value: string): void {
  const draft = `${path}.${randomUUID()}`;
  writeFileSync(draft, value, { mode: 0o600, flag: 'wx', flush: true });
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(draft);
  }
}

const newSigningKeyPem = (): string =>
  generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

/** @param pem one or more private keys in PEM, concatenated. */
function parseSigningKeys(pem: string): SigningKey[] {
  const blocks = pem.match(/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]+?-----END [A-Z ]*PRIVATE KEY-----/g) ?? [];
  if (blocks.length === 0) throw new StartupError('JWT_PRIVATE_KEYS_FILE: the file contains no private key in PEM.');
  return blocks.map((block) => {
    let privateKey: KeyObject;
    try {
      privateKey = createPrivateKey(block);
    } catch {
      throw new StartupError('JWT_PRIVATE_KEYS_FILE: a key in the file is malformed.');
    }
    const bits = privateKey.asymmetricKeyDetails?.modulusLength ?? 0;
    if (privateKey.asymmetricKeyType !== 'rsa' || bits < 2048) {
      throw new StartupError('JWT_PRIVATE_KEYS_FILE: every key must be RSA with 2048 bits or more.');
    }
    const publicKey = createPublicKey(privateKey);
    const id = createHash('sha256')
      .update(publicKey.export({ type: 'spki', format: 'der' }))
      .digest('base64url')
      .slice(0, 16);
    return { id, privateKey, publicKey };
  });
}

function parseMasterKeys(text: string): MasterKey[] {
  return text.split(',').map((entry) => {
    const [, id, base64] = /^\s*([A-Za-z0-9._-]{1,32}):([A-Za-z0-9+/]+={0,2})\s*$/.exec(entry) ?? [];
    const secret = Buffer.from(base64 ?? '', 'base64');
    if (!id || secret.length !== 32) throw new StartupError('MASTER_KEYS: every entry must be id:base64 of 32 bytes.');
    return { id, secret };
  });
}

function parsePepper(text: string): Buffer {
  const pepper = Buffer.from(text, 'base64');
  if (pepper.length < 32) throw new StartupError('PASSWORD_PEPPER: must be base64 of 32 bytes or more.');
  return pepper;
}
