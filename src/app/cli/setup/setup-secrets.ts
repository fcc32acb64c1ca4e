import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { type Values } from './env-file';

/** Containers read these files under other user ids, so the files are readable and their folder is private. */
const PRIVATE_FOLDER = 0o700;
const READABLE_FILE = 0o444;

/** A key file, and what it is to contain. */
interface KeyFile {
  readonly path: string;
  readonly content: string;
}

/** The secrets that the file refers to. */
export interface SetupSecrets {
  /** The key files to write. Nothing is written before the checks have passed. */
  readonly files: readonly KeyFile[];
  /** The secrets of the service. */
  readonly service: Values;
  /** The secrets of the database and the store that docker/compose.yaml runs. */
  readonly compose: Values;
}

const key = (): string => randomBytes(32).toString('base64');
const password = (): string => randomBytes(24).toString('hex');

/**
 * The secrets of an installation. Existing secrets are kept, because data is encrypted with them: those of the former file, else those that
 * a start outside production generated in `DATA_DIR/keys`. Missing ones are generated.
 * @param folder where the key files will be.
 */
export function prepareSecrets(folder: string, answers: Values, former: Values): SetupSecrets {
  const keys = join(resolve(answers['DATA_DIR'] ?? ''), 'keys');
  const made = (name: string): string | undefined => {
    const path = join(keys, name);
    return existsSync(path) ? readFileSync(path, 'utf8').trim() : undefined;
  };
  const kept = (name: string, create: () => string): string => former[name] || create();
  const store = {
    S3_ACCESS_KEY_ID:
      answers['S3_ACCESS_KEY_ID'] ?? kept('S3_ACCESS_KEY_ID', () => `agate${randomBytes(8).toString('hex')}`),
    S3_SECRET_ACCESS_KEY: answers['S3_SECRET_ACCESS_KEY'] ?? kept('S3_SECRET_ACCESS_KEY', password),
  };
  const signingKeys = kept('JWT_PRIVATE_KEYS_FILE', () => join(folder, 'jwt.pem'));
  const identities = join(folder, 'store.json');
  return {
    files: [
      { path: identities, content: identitiesOf(store) },
      ...(former['JWT_PRIVATE_KEYS_FILE'] || existsSync(signingKeys)
        ? []
        : [{ path: signingKeys, content: made('jwt-private-keys.pem') ?? newSigningKey() }]),
    ],
    service: {
      JWT_PRIVATE_KEYS_FILE: signingKeys,
      MASTER_KEYS: kept('MASTER_KEYS', () => made('master-keys') ?? `k1:${key()}`),
      PASSWORD_PEPPER: kept('PASSWORD_PEPPER', () => made('password-pepper') ?? key()),
    },
    compose: {
      ...store,
      STORE_IDENTITIES_FILE: identities,
      POSTGRES_PASSWORD: kept('POSTGRES_PASSWORD', password),
      POSTGRES_APP_PASSWORD: kept('POSTGRES_APP_PASSWORD', password),
      REDIS_PASSWORD: kept('REDIS_PASSWORD', password),
    },
  };
}

/** Writes key files into a folder that only its owner may open. */
export function writeKeyFiles(folder: string, files: readonly KeyFile[]): void {
  mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
  chmodSync(folder, PRIVATE_FOLDER);
  for (const { path, content } of files) {
    if (existsSync(path)) chmodSync(path, 0o600);
    writeFileSync(path, `${content.trim()}\n`, { flush: true });
    chmodSync(path, READABLE_FILE);
  }
}

/** Runs `check` with the values as they will be: key files that are not written yet are in a temporary folder. */
export function withKeyFiles<T>(values: Values, { files }: SetupSecrets, check: (values: Values) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'agate-setup-'));
  try {
    const temporary = files.map(({ path, content }) => ({ path: join(folder, basename(path)), content }));
    writeKeyFiles(folder, temporary);
    const placeOf = new Map(files.map(({ path }, index) => [path, temporary[index]!.path]));
    return check(Object.fromEntries(Object.entries(values).map(([name, text]) => [name, placeOf.get(text) ?? text])));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const newSigningKey = (): string =>
  generateKeyPairSync('rsa', { modulusLength: 3072 }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

/** The configuration of the store in docker/compose.yaml: who may use it. */
function identitiesOf({ S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY }: Values): string {
  const credentials = [{ accessKey: S3_ACCESS_KEY_ID, secretKey: S3_SECRET_ACCESS_KEY }];
  const actions = ['Admin', 'Read', 'Write', 'List', 'Tagging'];
  return JSON.stringify({ identities: [{ name: 'agate', credentials, actions }] }, null, 2);
}
