import { availableParallelism } from 'node:os';
import { DatabaseConfig, HttpConfig } from './config';
import { loadConfig } from './load-config';

jest.mock('node:os', () => ({ ...jest.requireActual<object>('node:os'), availableParallelism: jest.fn() }));

describe('the database configuration', () => {
  const [url, ownerUrl] = ['postgres://agate_app:secret@db/agate', 'postgres://agate:secret@db/agate'];

  it('accepts one role or two', () => {
    expect(loadConfig({}).get(DatabaseConfig)).toMatchObject({ url: undefined, ownerUrl: undefined });
    const both = loadConfig({ DATABASE_URL: url, DATABASE_OWNER_URL: ownerUrl });
    expect(both.get(DatabaseConfig)).toMatchObject({ url, ownerUrl });
  });

  // red when: the default does not depend on the cores, or a configured number is ignored
  it('has a pool for the cores of the machine, of seven to ten connections', () => {
    const sizeOn = (cores: number, environment: Readonly<Record<string, string>> = {}): number => {
      jest.mocked(availableParallelism).mockReturnValue(cores);
      return loadConfig(environment).get(DatabaseConfig).poolSize;
    };
    expect([1, 3, 4, 64].map((cores) => sizeOn(cores))).toEqual([7, 7, 9, 10]);
    expect(sizeOn(64, { DATABASE_POOL_SIZE: '30' })).toBe(30);
  });

  // red when: DATABASE_OWNER_URL is accepted without DATABASE_URL (the embedded database would be migrated instead)
  it.each<[string, Readonly<Record<string, string>>]>([
    ['an owner without a database', { DATABASE_OWNER_URL: ownerUrl }],
    [
      'an owner URL of another database system',
      { DATABASE_URL: url, DATABASE_OWNER_URL: 'mysql://agate:secret@db/agate' },
    ],
  ])('rejects %s without printing the password', (_name, environment) => {
    expect(() => loadConfig(environment)).toThrow(/DATABASE_OWNER_URL/);
    expect(() => loadConfig(environment)).not.toThrow(/secret/);
  });
});

describe('the address that the service listens on', () => {
  const hostOf = (environment: Readonly<Record<string, string>>): string | undefined =>
    loadConfig(environment).get(HttpConfig).host;
  const production = {
    NODE_ENV: 'production',
    BASE_URL: 'https://a.example',
    CAPTCHA_PROVIDER: 'none',
    SIGN_UP: 'open',
  };

  // red when: the default does not depend on NODE_ENV
  it('is 127.0.0.1, and every address in production', () => {
    expect(hostOf({})).toBe('127.0.0.1');
    expect(hostOf(production)).toBeUndefined();
    expect(hostOf({ HOST: '0.0.0.0' })).toBe('0.0.0.0');
    expect(hostOf({ ...production, HOST: '::1' })).toBe('::1');
    expect(() => loadConfig({ HOST: 'my-laptop' })).toThrow(/- HOST: /);
  });
});

describe('the dashboard', () => {
  const isServed = (environment: Readonly<Record<string, string>>): boolean =>
    loadConfig(environment).get(HttpConfig).servesDashboard;

  // red when: the path of BASE_URL is not looked at
  it('is served unless DASHBOARD is "false" or BASE_URL has a path', () => {
    expect(isServed({})).toBe(true);
    expect(isServed({ BASE_URL: 'https://agate.example.com/' })).toBe(true);
    expect(isServed({ DASHBOARD: 'false' })).toBe(false);
    expect(isServed({ BASE_URL: 'https://example.com/agate' })).toBe(false);
    expect(() => loadConfig({ DASHBOARD: 'off' })).toThrow(/- DASHBOARD: /);
  });
});

describe('connections to other hosts', () => {
  const production = {
    NODE_ENV: 'production',
    BASE_URL: 'https://a.example',
    CAPTCHA_PROVIDER: 'none',
    SIGN_UP: 'open',
  };
  const DATABASE_URL = 'postgres://agate_app:secret@db/agate';

  // red when: unsafeInProduction does not ask transportProblems
  it('need TLS, or its explicit deactivation, in production only', () => {
    expect(() => loadConfig({ DATABASE_URL, REDIS_URL: 'redis://cache' })).not.toThrow();
    expect(() => loadConfig({ ...production, DATABASE_URL })).toThrow(/- DATABASE_URL: add sslmode=/);
    expect(() => loadConfig({ ...production, REDIS_URL: 'redis://cache' })).toThrow(/- REDIS_URL: use rediss/);
    expect(() => loadConfig({ ...production, DATABASE_URL: `${DATABASE_URL}?sslmode=disable` })).not.toThrow();
  });
});
