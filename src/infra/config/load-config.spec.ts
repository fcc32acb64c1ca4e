import { DatabaseConfig } from './config';
import { loadConfig } from './load-config';

describe('the configuration of the database', () => {
  const [url, ownerUrl] = ['postgres://agate_app:secret@db/agate', 'postgres://agate:secret@db/agate'];

  it('is one role, or two', () => {
    expect(loadConfig({}).get(DatabaseConfig)).toMatchObject({ url: undefined, ownerUrl: undefined });
    const both = loadConfig({ DATABASE_URL: url, DATABASE_OWNER_URL: ownerUrl });
    expect(both.get(DatabaseConfig)).toMatchObject({ url, ownerUrl });
  });

  // red when: the owner of a database may be named without it (the embedded one would be migrated instead)
  it.each<[string, Readonly<Record<string, string>>]>([
    ['an owner of no database', { DATABASE_OWNER_URL: ownerUrl }],
    ['an owner elsewhere', { DATABASE_URL: url, DATABASE_OWNER_URL: 'mysql://agate:secret@db/agate' }],
  ])('refuses %s, and shows no password', (_name, environment) => {
    expect(() => loadConfig(environment)).toThrow(/DATABASE_OWNER_URL/);
    expect(() => loadConfig(environment)).not.toThrow(/secret/);
  });
});
