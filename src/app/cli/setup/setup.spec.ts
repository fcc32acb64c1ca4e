import { generateKeyPairSync, randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parseEnv } from 'node:util';
import { runSetup } from './setup';

/** Answers questions in order; `null` is a console without a terminal. */
const consoleWith = (answers: readonly string[] | null) => {
  const asked: string[] = [];
  const printed: string[] = [];
  const print = (text: string): void => void printed.push(text);
  const ask = (question: string): Promise<string> | null => {
    if (answers === null) return null;
    asked.push(question);
    return Promise.resolve(answers[asked.length - 1] ?? '');
  };
  return { asked, printed, io: { out: print, err: print, ask, showsProgress: false } };
};

describe('setup', () => {
  let folder: string;
  let file: string;
  let signingKey: string;
  beforeAll(() => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    signingKey = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  });
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'agate setup '));
    file = join(folder, '.env');
    // Setup keeps this key. Generating a key of 3072 bits for each test would take seconds.
    mkdirSync(join(folder, 'secrets'));
    writeFileSync(join(folder, 'secrets/jwt.pem'), signingKey);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const flags = (...more: readonly string[]): string[] => ['--file', file, '--data-dir', join(folder, 'data'), ...more];
  const values = () => parseEnv(readFileSync(file, 'utf8'));

  // red when: a question is left out, a default is not the answer to an empty line, or a bad answer is accepted
  it('asks for the settings, repeats a question after an unacceptable answer, and writes them', async () => {
    const answers = [
      'agate.example.com',
      'https://agate.example.com',
      '',
      '',
      '',
      'local',
      'example.com,example',
      'example.com',
      'off',
    ];
    const { io, asked, printed } = consoleWith(answers);
    expect(await runSetup(flags(), io, {})).toBe(0);
    expect(asked).toHaveLength(answers.length);
    expect(printed.join('')).toContain('Enter a URL such as https://');
    expect(values()).toMatchObject({
      NODE_ENV: 'production',
      BASE_URL: 'https://agate.example.com',
      MAIL_FROM: 'Agate <agate@agate.example.com>',
      STORAGE_PROVIDER: 'local',
      SIGN_UP: 'example.com',
      BILLING: 'off',
      AGATE_HOST: 'agate.example.com',
      STORE_HOST: 'store.agate.example.com',
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'secrets')).mode & 0o777).toBe(0o700);
    expect(printed.join('')).not.toContain(values()['PASSWORD_PEPPER']);
  });

  it('asks before it replaces a file, and keeps its secrets and unknown variables', async () => {
    expect(await runSetup(flags('--yes'), consoleWith(null).io, {})).toBe(0);
    writeFileSync(file, `${readFileSync(file, 'utf8')}LOG_LEVEL=debug\n`);
    const before = readFileSync(file, 'utf8');
    const declined = consoleWith(['no']);
    expect(await runSetup(flags(), declined.io, {})).toBe(2);
    expect(declined.asked[0]).toContain('Replace it?');
    expect(await runSetup(flags('--yes'), consoleWith(null).io, {})).toBe(2);
    expect(readFileSync(file, 'utf8')).toBe(before);

    const secrets = [
      'MASTER_KEYS',
      'PASSWORD_PEPPER',
      'POSTGRES_PASSWORD',
      'S3_SECRET_ACCESS_KEY',
      'JWT_PRIVATE_KEYS_FILE',
    ];
    const former = parseEnv(before);
    expect(await runSetup(flags('--yes', '--overwrite', '--billing', 'metered'), consoleWith(null).io, {})).toBe(0);
    for (const name of secrets) expect([name, values()[name]]).toEqual([name, former[name]]);
    expect(values()).toMatchObject({ BILLING: 'metered', LOG_LEVEL: 'debug' });
    expect(readFileSync(join(folder, 'secrets/jwt.pem'), 'utf8')).toBe(signingKey);
  });

  // red when: new master keys are made beside a database whose secrets are sealed with the ones of DATA_DIR
  it('uses the keys that a start outside production has generated', async () => {
    const keys = join(folder, 'data/keys');
    mkdirSync(keys, { recursive: true });
    const random = `k1:${randomBytes(32).toString('base64')}`;
    writeFileSync(join(keys, 'master-keys'), random);
    expect(await runSetup(flags('--yes'), consoleWith(null).io, {})).toBe(0);
    expect(values()['MASTER_KEYS']).toBe(random);
  });

  it.each([
    ['an address with a path', ['--base-url', 'https://agate.example.com/api'], /--base-url: Leave out the path/],
    ['an unknown billing mode', ['--billing', 'free'], /--billing: Use off or metered/],
    ['an unknown sign-up policy', ['--sign-up', 'friends'], /--sign-up: Use open, invited, closed, or e-mail domains/],
    ['a plain address in production', ['--base-url', 'http://agate.example.com'], /BASE_URL: must use https/],
    ['a store without its bucket', ['--storage', 's3'], /--s3-bucket: Enter the name/],
    ['a value that the file cannot hold', ['--mail-from', "O'Neil <a@example.com>"], /MAIL_FROM: must not contain/],
  ])('rejects %s, and writes nothing', async (_what, words, message) => {
    const { io, printed } = consoleWith(null);
    expect(await runSetup(flags('--yes', ...words), io, {})).not.toBe(0);
    expect(printed.join('')).toMatch(message);
    expect(existsSync(file)).toBe(false);
  });

  // red when: the key files are written before the checks
  it('writes no key files when a check fails', async () => {
    rmSync(join(folder, 'secrets'), { recursive: true });
    const { io, printed } = consoleWith(null);
    expect(await runSetup(flags('--yes', '--base-url', 'http://agate.example.com'), io, {})).toBe(1);
    expect(printed.join('')).toContain('must use https');
    expect(await runSetup(flags('--yes', '--mail-url', 'smtp://127.0.0.1:9'), io, {})).toBe(1);
    expect(printed.join('')).toContain('was not written');
    // The check of the storage has made its folder.
    expect(readdirSync(folder)).toEqual(['data']);
  });

  it('proposes the values of the environment', async () => {
    const { io, asked } = consoleWith(Array<string>(7).fill(''));
    expect(await runSetup(flags('--mail-url', ''), io, { BASE_URL: 'https://a.example.com' })).toBe(0);
    expect(asked[0]).toContain('[https://a.example.com]');
    expect(values()['BASE_URL']).toBe('https://a.example.com');
  });

  describe('proposes commands that start the service', () => {
    const proposed = async (): Promise<string> => {
      const { io, printed } = consoleWith(null);
      expect(await runSetup(flags('--yes'), io, {})).toBe(0);
      return printed.join('');
    };
    afterEach(() => jest.restoreAllMocks());

    // red when: a file that is not .env of the project folder is not named
    it('with a file elsewhere', async () => {
      const text = await proposed();
      const name = relative(process.cwd(), file);
      expect(text).toContain(`NODE_ENV=production node --env-file='${name}' scripts/start.mjs\n`);
      expect(text).toContain(`docker compose --file docker/compose.yaml --env-file '${name}' up --detach --build\n`);
      expect(values()).not.toHaveProperty('COMPOSE_FILE');
    });

    it('with .env of the project folder, and in containers where there is a compose file', async () => {
      jest.spyOn(process, 'cwd').mockReturnValue(folder);
      expect(await proposed()).not.toContain('docker compose up');
      rmSync(file);
      mkdirSync(join(folder, 'docker'));
      writeFileSync(join(folder, 'docker/compose.yaml'), '');
      const text = await proposed();
      expect(text).toContain('NODE_ENV=production npm start\n');
      expect(text).toContain('docker compose up --detach --build\n');
      expect(values()).toMatchObject({ COMPOSE_FILE: 'docker/compose.yaml' });
    });
  });

  it('needs a terminal for its questions', async () => {
    const { io, printed } = consoleWith(null);
    expect(await runSetup(flags(), io, {})).toBe(2);
    expect(printed.join('')).toContain('--yes');
  });
});
