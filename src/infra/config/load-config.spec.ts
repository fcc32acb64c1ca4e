import { DatabaseConfig } from './config';
import { loadConfig } from './load-config';

describe('the database configuration', () => {
  const [url, ownerUrl] = ['postgres://agate_app:secret@db/agate', 'postgres://agate:secret@db/agate'];

  it('accepts one role or two', () => {
    expect(loadConfig({}).get(DatabaseConfig)).toMatchObject({ url: undefined, ownerUrl: undefined });
    const both = loadConfig({ DATABASE_URL: url, DATABASE_OWNER_URL: ownerUrl });
    expect(both.get(DatabaseConfig)).toMatchObject({ url, ownerUrl });
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
