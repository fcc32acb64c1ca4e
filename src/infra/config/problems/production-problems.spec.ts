import { transportProblems } from './production-problems';

const database = (url: string): string[] =>
  transportProblems({ databaseUrls: { DATABASE_URL: url }, redisUrl: undefined });
const redis = (redisUrl: string): string[] => transportProblems({ databaseUrls: {}, redisUrl });

describe('transportProblems', () => {
  it.each([
    'postgres://a:b@127.0.0.1:5432/agate',
    'postgres://a:b@localhost/agate',
    'postgres://a:b@[::1]/agate',
    'postgres://a:b@ignored/agate?host=/var/run/postgresql',
    'postgres://a:b@db.example.com/agate?sslmode=verify-full',
    'postgres://a:b@db.example.com/agate?sslmode=require&application_name=x',
    'postgres://a:b@db.example.com/agate?sslmode=no-verify',
    'postgres://a:b@postgres:5432/agate?sslmode=disable',
    'postgres://a:b@db.example.com/agate?ssl=true',
  ])('accepts %s', (url) => {
    expect(database(url)).toEqual([]);
  });

  // red when: the host is not looked at, or any value of sslmode counts
  it.each([
    'postgres://a:b@postgres:5432/agate',
    'postgres://a:b@10.0.0.7/agate',
    'postgres://a:b@localhost/agate?host=db.example.com',
    'postgres://a:b@localhost.example.com/agate',
    'postgres://a:b@db.example.com/agate?sslmode=',
    'postgres://a:b@db.example.com/agate?sslmode=REQUIRE',
    'postgres://a:b@db.example.com/agate?sslmode=on',
    'postgres://a:b@db.example.com/agate?ssl=false',
  ])('rejects %s, naming the variable without its value', (url) => {
    expect(database(url)).toEqual([expect.stringMatching(/^DATABASE_URL: add sslmode=/)]);
    expect(database(url).join()).not.toContain('a:b');
  });

  it('checks the URL of the owner, too', () => {
    const problems = transportProblems({
      databaseUrls: { DATABASE_URL: undefined, DATABASE_OWNER_URL: 'postgres://a:b@db/agate' },
      redisUrl: undefined,
    });
    expect(problems).toEqual([expect.stringMatching(/^DATABASE_OWNER_URL: /)]);
  });

  it.each([
    'redis://localhost:6379',
    'redis://127.0.0.1',
    'rediss://:secret@redis.example.com',
    'redis://:secret@redis:6379?sslmode=disable',
  ])('accepts %s', (url) => {
    expect(redis(url)).toEqual([]);
  });

  it.each<[url: string, problems: number]>([
    ['redis://redis:6379', 2],
    ['redis://:secret@redis:6379', 1],
    ['rediss://redis.example.com', 1],
    ['redis://redis:6379?sslmode=disable', 1],
  ])('rejects %s', (url, problems) => {
    expect(redis(url)).toHaveLength(problems);
    expect(redis(url).join()).not.toContain(':secret');
  });
});
