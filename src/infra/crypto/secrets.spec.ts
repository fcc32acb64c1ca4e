import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartupError } from '#kernel/errors/startup-error';
import { CONFIG_CLASSES } from '#infra/config/config';
import { loadConfig } from '#infra/config/load-config';
import { variablesOf } from '#infra/config/variable';
import { loadSecrets, type Secrets } from './secrets';

type Environment = Readonly<Record<string, string>>;

const base64 = (bytes: number): string => randomBytes(bytes).toString('base64');
const rsa = (bits: number): string =>
  generateKeyPairSync('rsa', { modulusLength: bits }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const p256 = (): string =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

describe('production startup', () => {
  let directory: string;
  let complete: Environment;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'agate-test-'));
    complete = {
      NODE_ENV: 'production',
      DATA_DIR: join(directory, 'data'),
      BASE_URL: 'https://agate.example',
      CAPTCHA_PROVIDER: 'none',
      SIGN_UP: 'open',
      JWT_PRIVATE_KEYS_FILE: fileOf(rsa(2048)),
      MASTER_KEYS: `k2:${base64(32)},k1:${base64(32)}`,
      PASSWORD_PEPPER: base64(32),
    };
    // An earlier trial run left generated secrets in DATA_DIR.
    loadSecrets(loadConfig({ DATA_DIR: complete['DATA_DIR'] }));
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  const keyOf = ({ MASTER_KEYS = '' }: Environment): string => MASTER_KEYS.split(':').at(-1)!;
  let files = 0;
  const fileOf = (text: string): string => {
    const path = join(directory, `${(files += 1)}.pem`);
    writeFileSync(path, text);
    return path;
  };
  const start = (environment: Environment): Secrets => loadSecrets(loadConfig(environment));
  const rejectionOf = (environment: Environment): string => {
    try {
      start(environment);
    } catch (error) {
      if (error instanceof StartupError) return error.message;
      throw error;
    }
    return 'it starts';
  };

  it('succeeds with all required variables', () => {
    expect(start(complete)).toMatchObject({ masterKeys: [{ id: 'k2' }, { id: 'k1' }] });
    expect(start({ ...complete, JWT_PRIVATE_KEYS_FILE: fileOf(rsa(2048) + rsa(3072)) }).signingKeys).toHaveLength(2);
  });

  // red when: a variable has a default in production, or the secrets of a trial run in DATA_DIR are used
  it.each(['BASE_URL', 'CAPTCHA_PROVIDER', 'SIGN_UP', 'JWT_PRIVATE_KEYS_FILE', 'MASTER_KEYS', 'PASSWORD_PEPPER'])(
    'fails without %s, naming it',
    (name) => {
      for (const value of ['', undefined]) {
        expect(rejectionOf({ ...complete, [name]: value } as Environment)).toMatch(new RegExp(`${name}: .*production`));
      }
    },
  );

  // red when: a length is not checked
  it.each<[name: string, value: () => string]>([
    ['MASTER_KEYS', () => `k1:${base64(31)}`],
    ['MASTER_KEYS', () => `k1:${base64(33)}`],
    ['MASTER_KEYS', () => `k2:${base64(32)},k1:${base64(16)}`],
    ['MASTER_KEYS', () => base64(32)],
    ['MASTER_KEYS', () => 'k1:correct horse battery staple'],
    ['PASSWORD_PEPPER', () => base64(31)],
    ['PASSWORD_PEPPER', () => 'correct horse battery staple'],
    ['JWT_PRIVATE_KEYS_FILE', () => fileOf(rsa(1024))],
    ['JWT_PRIVATE_KEYS_FILE', () => fileOf(rsa(2048) + rsa(1024))],
    ['JWT_PRIVATE_KEYS_FILE', () => fileOf(p256())],
    ['JWT_PRIVATE_KEYS_FILE', () => fileOf('')],
    ['JWT_PRIVATE_KEYS_FILE', () => fileOf(rsa(2048).replaceAll('A', 'B'))],
    ['JWT_PRIVATE_KEYS_FILE', () => join(directory, 'nowhere.pem')],
    ['RATE_LIMIT_FACTOR', () => '0'],
    ['BASE_URL', () => 'agate.example'],
  ])('fails with a %s that is too short or malformed, naming it', (name, make) => {
    expect(rejectionOf({ ...complete, [name]: make() })).toMatch(new RegExp(`\\b${name}: `));
  });

  // red when: the check for it is removed
  it.each<[name: string, value: () => Environment]>([
    ['BASE_URL', () => ({ BASE_URL: 'http://agate.example' })],
    ['INSTALL_BASE_URL', () => ({ INSTALL_BASE_URL: 'http://install.example' })],
    ['DASHBOARD_ORIGINS', () => ({ DASHBOARD_ORIGINS: 'https://a.example,http://b.example' })],
    ['METRICS_TOKEN', () => ({ METRICS_TOKEN: 'changemechangeme' })],
    ['MASTER_KEYS', () => ({ MASTER_KEYS: `k1:${Buffer.alloc(32).toString('base64')}` })],
    [
      'MASTER_KEYS',
      () => ({ MASTER_KEYS: `k2:${base64(32)},k1:${Buffer.from('changeme'.repeat(4)).toString('base64')}` }),
    ],
    ['MASTER_KEYS', () => ({ MASTER_KEYS: `k2:${keyOf(complete)},k1:${keyOf(complete)}` })],
    ['PASSWORD_PEPPER', () => ({ PASSWORD_PEPPER: Buffer.alloc(32).toString('base64') })],
    ['PASSWORD_PEPPER', () => ({ PASSWORD_PEPPER: keyOf(complete) })],
    ['TRUST_PROXY', () => ({ TRUST_PROXY: '128.0.0.0/1' })],
  ])('fails with an unsafe %s, naming it without its value', (name, make) => {
    const rejection = rejectionOf({ ...complete, ...make() });
    expect(rejection).toMatch(new RegExp(`\\b${name}: `));
    for (const value of Object.values(make())) expect(rejection).not.toContain(value.split(/[:,]/).at(-1));
  });

  it('accepts plain http for loopback URLs', () => {
    for (const url of ['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000'])
      expect(rejectionOf({ ...complete, BASE_URL: url })).toBe('it starts');
  });

  // red when: missing secrets are reported only after all other variables are set
  it('reports all missing variables together', () => {
    let message = '';
    try {
      loadConfig({ NODE_ENV: 'production' }, { needsSecrets: true });
    } catch (error) {
      message = (error as StartupError).message;
    }
    expect([...message.matchAll(/^ {2}- (\w+): /gm)].map(([, name]) => name)).toEqual([
      'BASE_URL',
      'JWT_PRIVATE_KEYS_FILE',
      'MASTER_KEYS',
      'PASSWORD_PEPPER',
      'CAPTCHA_PROVIDER',
      'SIGN_UP',
    ]);
  });

  // red when: a message quotes the value
  it('never prints the value of an invalid secret', () => {
    const secrets = CONFIG_CLASSES.flatMap((topic) => variablesOf(topic)).filter(({ secret }) => secret);
    expect(secrets.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['DATABASE_URL', 'MASTER_KEYS', 'REDIS_URL']),
    );
    for (const { name } of secrets) {
      const value = `ftp://somebody:hunter2hunter2@host/${name}`;
      const message = rejectionOf({ ...complete, RATE_LIMIT_FACTOR: '0', [name]: value });
      expect({ name, message }).toMatchObject({ message: expect.not.stringContaining('hunter2') as string });
    }
    const [, masterKey = ''] = complete['MASTER_KEYS']!.split(':');
    for (const shown of [masterKey.slice(0, 20), complete['PASSWORD_PEPPER']!]) {
      expect(rejectionOf({ ...complete, MASTER_KEYS: `${complete['MASTER_KEYS']!},short` })).not.toContain(shown);
    }
  });
});

describe('secrets that are generated on the first start', () => {
  let directory: string;
  beforeAll(() => (directory = mkdtempSync(join(tmpdir(), 'agate-test-'))));
  afterAll(() => rmSync(directory, { recursive: true }));

  // red when: DATA_DIR gets the mode of the keys folder (an embedded PostgreSQL of another user could not enter it)
  it('are readable by the owner only, while DATA_DIR keeps its default mode', () => {
    const [DATA_DIR, plain] = [join(directory, 'data'), join(directory, 'plain')];
    mkdirSync(plain);
    const first = loadSecrets(loadConfig({ DATA_DIR }));
    const mode = (path: string): number => statSync(path).mode & 0o777;
    expect(mode(DATA_DIR)).toBe(mode(plain));
    expect(mode(join(DATA_DIR, 'keys'))).toBe(0o700);
    for (const name of readdirSync(join(DATA_DIR, 'keys'))) expect(mode(join(DATA_DIR, 'keys', name))).toBe(0o600);
    expect(loadSecrets(loadConfig({ DATA_DIR })).passwordPepper).toEqual(first.passwordPepper);
  });
});
