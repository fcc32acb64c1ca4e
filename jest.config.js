const base = {
  testEnvironment: '<rootDir>/jest/shared-environment.cjs',
  runtime: '<rootDir>/jest/shared-runtime.cjs',
  rootDir: __dirname,
  moduleFileExtensions: ['ts', 'js', 'mjs', 'cjs', 'json'],
  transform: { '\\.[cm]?[jt]s$': '<rootDir>/jest/transformer.cjs' },
  transformIgnorePatterns: [],
  resolver: '<rootDir>/jest/resolver.cjs',
  moduleNameMapper: {
    '^#kernel/(.*)$': '<rootDir>/src/kernel/$1',
    '^#infra/(.*)$': '<rootDir>/src/infra/$1',
    '^#modules/([^/]+)$': '<rootDir>/src/modules/$1/index',
    '^#read-models/(.*)$': '<rootDir>/src/read-models/$1',
    '^#app/(.*)$': '<rootDir>/src/app/$1',
    '^@agate/client$': '<rootDir>/packages/client/src/index',
  },
};
const ring = (displayName, roots, extra = {}) => ({
  ...base,
  displayName,
  roots: roots.map((root) => `<rootDir>/${root}`),
  testRegex: '\\.spec\\.ts$',
  ...extra,
});

/** Runs once, however many of these rings are selected, and not at all when none is. */
const database = {
  globalSetup: '<rootDir>/test/support/app/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/app/global-teardown.ts',
};

/**
 * The rings of tests (docs/architecture.md): all but `unit`, `apksigner`, `macho` and `webhooks` run against a real PostgreSQL. Eleven are not part of `npm
 * test`: endurance, because it takes many minutes, and ten that need more than npm: browser (a Chromium), redis (a `redis-server`), caddy
 * (a `caddy`), nginx (an `nginx`), pgbouncer (a `pgbouncer`), pipelines (`ruby`, `rsync` and `jq`), apksigner (an `apksigner`), macho (clang, LLD and `openssl`),
 * postfix (a `postfix`, as root); and webhooks (`webhook`, `php`, `ruby` and `python3`), whose receivers need no database.
 */
module.exports = {
  testTimeout: 180_000,
  // On two cores, a third test file runs while others wait.
  maxWorkers: Number(process.env.AGATE_TEST_WORKERS ?? 3),
  reporters: ['default', '<rootDir>/jest/totals-reporter.cjs'],
  coverageProvider: 'v8',
  collectCoverageFrom: ['src/**/*.ts'],
  projects: [
    ring('unit', ['src', 'packages']),
    ring('architecture', ['test/architecture'], database),
    ring('integration', ['test/integration'], database),
    ring('api', ['test/api'], database),
    ring('e2e', ['test/e2e'], database),
    ring('endurance', ['test/endurance'], database),
    ring('browser', ['test/browser'], database),
    ring('redis', ['test/redis'], database),
    ring('caddy', ['test/caddy'], database),
    ring('nginx', ['test/nginx'], database),
    ring('pgbouncer', ['test/pgbouncer'], database),
    ring('apksigner', ['test/apksigner']),
    ring('macho', ['test/macho']),
    ring('pipelines', ['test/pipelines'], database),
    ring('postfix', ['test/postfix'], database),
    ring('webhooks', ['test/webhooks']),
  ],
};
