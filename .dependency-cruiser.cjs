/**
 * The rings and the module table of architecture.cjs as rules, checked by `npm run boundaries`.
 * They apply to sources. Tests may import everything.
 */
const { modules } = require('./architecture.cjs');

/** Packages that the kernel may import. None does I/O. */
const PURE = ['^(crypto|zlib)$', '(^|/)node_modules/uuid/'];
const OURS = { path: '^(src|migrations)/' };
const WEB = '(^|/)node_modules/(@types/)?(express|multer|busboy|@nestjs/platform-express)/';
const CLOUD = '(^|node_modules/)@(aws-sdk|smithy|azure)/';
const PERSISTENCE = [
  '\\.(entity|entities|repository)\\.ts$',
  '^src/infra/database/',
  '^src/infra/fast-paths/pg/',
  '^migrations/',
];
/** Entry points, which are started by path and not imported. */
const ENTRIES = '^src/(main|worker|cli)\\.ts$|-worker\\.ts$';

const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

/** A module may import itself and the index of the modules in its row of the table. */
const moduleRules = Object.entries(modules).map(([name, used]) =>
  forbid(
    `module-${name}`,
    `${name} may use ${used.join(', ') || 'no other module'}, each through its index.ts (architecture.cjs)`,
    { path: `^src/modules/${name}/` },
    {
      path: '^src/modules/',
      pathNot: [`^src/modules/${name}/`, ...used.map((other) => `^src/modules/${other}/index\\.ts$`)],
    },
  ),
);

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    forbid('no-cycles', 'Imports must not form a cycle, not even of types', OURS, { circular: true }),
    forbid(
      'no-dead-files',
      'Every source must be reachable from an entry point',
      { path: ENTRIES },
      { path: '^src/.*\\.ts$', pathNot: ENTRIES, reachable: false },
    ),
    forbid('resolvable', 'Every import must resolve', OURS, { couldNotResolve: true }),
    forbid('declared-packages', 'The service must run with the dependencies of package.json', OURS, {
      dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
      pathNot: '(^|/)node_modules/@types/',
    }),

    forbid(
      'kernel-is-pure',
      'Plain TypeScript: no Nest, no TypeORM, no I/O',
      { path: '^src/kernel/' },
      { pathNot: ['^src/kernel/', ...PURE] },
    ),
    forbid(
      'infra-knows-no-module',
      'Infrastructure must not import modules',
      { path: '^src/infra/' },
      { path: '^src/(modules|read-models|app)/' },
    ),
    forbid(
      'modules-know-no-read-model',
      'A module declares what it needs of other tables, and a read model implements it',
      { path: '^src/modules/' },
      { path: '^src/read-models/' },
    ),
    forbid(
      'read-models-use-modules-by-index',
      'A read model may import every module, each through its index.ts',
      { path: '^src/read-models/' },
      { path: '^src/modules/', pathNot: '^src/modules/[^/]+/index\\.ts$' },
    ),
    forbid(
      'app-is-the-top',
      'Only entry points may import the application',
      { path: '^src/', pathNot: ['^src/app/', ENTRIES] },
      { path: '^src/app/' },
    ),
    forbid(
      'known-modules',
      'Every module needs a row in architecture.cjs',
      { path: '^src/modules/', pathNot: `^src/modules/(${Object.keys(modules).join('|')})/` },
      {},
    ),
    ...moduleRules,

    forbid(
      'typeorm-in-persistence',
      'Only entities and repositories may access tables',
      { path: '^src/', pathNot: PERSISTENCE },
      { path: '(^|/)node_modules/typeorm/' },
    ),
    forbid(
      'typeorm-wiring',
      'Only module files may import TypeOrmModule',
      { pathNot: '\\.module\\.ts$' },
      { path: '(^|/)node_modules/@nestjs/typeorm/' },
    ),
    forbid(
      'migrations-stand-alone',
      'A migration must not change with the sources',
      { path: '^migrations/' },
      { pathNot: '(^|/)node_modules/typeorm/' },
    ),
    forbid(
      'cloud-in-drivers',
      'Only the drivers may import cloud SDKs',
      { pathNot: '^src/infra/blob/(s3|azure)/[a-z0-9-]+\\.ts$' },
      { path: CLOUD },
    ),
    forbid(
      'services-know-no-http',
      'Services must not depend on HTTP',
      { path: '\\.service\\.ts$' },
      { path: [WEB, '^src/infra/http/'] },
    ),
    forbid(
      'controllers-touch-no-tables',
      'Controllers must use services',
      { path: '\\.controller\\.ts$' },
      { path: ['\\.(entity|entities|repository)\\.ts$', '(^|/)node_modules/(@nestjs/)?typeorm/'] },
    ),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    exclude: { path: '\\.spec\\.ts$' },
    doNotFollow: { path: '(^|/)node_modules/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['types', 'node', 'require', 'import', 'default'],
      mainFields: ['main', 'types'],
    },
  },
};
