/**
 * The rings and the module table of architecture.cjs as rules that a machine checks: `npm run boundaries`.
 * Sources only: tests may look at anything.
 */
const { modules } = require('./architecture.cjs');

/** What the kernel may take from outside itself: no I/O among it. */
const PURE = ['^(crypto|zlib)$', '(^|/)node_modules/uuid/'];
const OURS = { path: '^(src|migrations)/' };
const WEB = '(^|/)node_modules/(@types/)?(express|multer|busboy|@nestjs/platform-express)/';
const CLOUD = '(^|node_modules/)@(aws-sdk|smithy|azure)/';
const PERSISTENCE = ['\\.(entity|repository)\\.ts$', '^src/infra/database/', '^migrations/'];
/** Started by their path, not imported. */
const ENTRIES = '^src/(main|worker|cli)\\.ts$|-worker\\.ts$';

const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

/** A module sees itself, and of the modules that the table gives it, the index. */
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
    forbid('no-cycles', 'Imports form no circle, not even of types', OURS, { circular: true }),
    forbid(
      'no-dead-files',
      'Every source is reached from an entry',
      { path: ENTRIES },
      { path: '^src/.*\\.ts$', pathNot: ENTRIES, reachable: false },
    ),
    forbid('resolvable', 'Every import leads somewhere', OURS, { couldNotResolve: true }),
    forbid('declared-packages', 'The service runs with the dependencies of package.json alone', OURS, {
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
      'Techniques do not know the business',
      { path: '^src/infra/' },
      { path: '^src/(modules|app)/' },
    ),
    forbid(
      'app-is-the-top',
      'Only the entries start the application',
      { path: '^src/', pathNot: ['^src/app/', ENTRIES] },
      { path: '^src/app/' },
    ),
    forbid(
      'known-modules',
      'A module stands in architecture.cjs',
      { path: '^src/modules/', pathNot: `^src/modules/(${Object.keys(modules).join('|')})/` },
      {},
    ),
    ...moduleRules,

    forbid(
      'typeorm-in-persistence',
      'Tables are the business of entities and repositories',
      { path: '^src/', pathNot: PERSISTENCE },
      { path: '(^|/)node_modules/typeorm/' },
    ),
    forbid(
      'typeorm-wiring',
      'TypeOrmModule is for modules',
      { pathNot: '\\.module\\.ts$' },
      { path: '(^|/)node_modules/@nestjs/typeorm/' },
    ),
    forbid(
      'migrations-stand-alone',
      'What has run does not change with the sources',
      { path: '^migrations/' },
      { pathNot: '(^|/)node_modules/typeorm/' },
    ),
    forbid(
      'cloud-in-drivers',
      'Other stores are only another driver',
      { pathNot: '^src/infra/blob/(s3|azure)/[a-z0-9-]+\\.ts$' },
      { path: CLOUD },
    ),
    forbid(
      'services-know-no-http',
      'A use case does not know who asks',
      { path: '\\.service\\.ts$' },
      { path: [WEB, '^src/infra/http/'] },
    ),
    forbid(
      'controllers-touch-no-tables',
      'Controllers ask services',
      { path: '\\.controller\\.ts$' },
      { path: ['\\.(entity|repository)\\.ts$', '(^|/)node_modules/(@nestjs/)?typeorm/'] },
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
