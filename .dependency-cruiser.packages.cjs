/** Which folder of the packages may import which, checked by `npm run boundaries`. Tests may import everything. */
const path = require('node:path');

const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });
const DASHBOARD = '^packages/dashboard/src';
const COMMAND_LINE = '^packages/cli/src';
const inside = (...folders) => `${DASHBOARD}/(${folders.join('|')})/`;

/** The folders and files of the command line, from the ground up. Each may import those before it. */
const LAYERS = [
  '(environment|option-values|version)\\.ts',
  'output/',
  'network/',
  'settings/',
  'context\\.ts',
  'terminal/',
  'ci/',
  'builds/',
  'upload/',
  'login/',
  'imports/',
  'init/',
  'doctor/',
  'mcp/',
  'commands/',
  'program\\.ts',
  'run\\.ts',
  'main\\.ts',
];
const layerRules = LAYERS.map((layer, index) =>
  forbid(
    `layer-of-${layer.replace(/\W+/g, '-')}`,
    'The command line is built in layers, and a layer must not import a higher one',
    { path: `${COMMAND_LINE}/${layer}` },
    { path: `${COMMAND_LINE}/`, pathNot: LAYERS.slice(0, index + 1).map((lower) => `${COMMAND_LINE}/${lower}`) },
  ),
);

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...layerRules,
    forbid(
      'known-layers',
      'Every folder of the command line needs a layer',
      { path: `${COMMAND_LINE}/`, pathNot: LAYERS.map((layer) => `${COMMAND_LINE}/${layer}`) },
      {},
    ),
    forbid(
      'no-cycles',
      'Imports must not form a cycle',
      {},
      { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    ),
    forbid('resolvable', 'Every import must resolve', {}, { couldNotResolve: true }),
    forbid(
      'no-dead-files',
      // The gallery of the primitives is a page of its own, for tests. Vite resolves the pattern by which texts are loaded.
      'Every source must be reachable from main.tsx or the build',
      { path: '^packages/dashboard/(src/main\\.tsx|vite\\.config\\.ts)$' },
      {
        path: `${DASHBOARD}/.*\\.tsx?$`,
        pathNot: ['(\\.d\\.ts|/main\\.tsx)$', inside('gallery'), inside('words/(en|de)')],
        reachable: false,
      },
    ),
    forbid(
      'apart-from-the-service',
      'Packages must not import the service',
      {},
      { path: '^(src|migrations|test|scripts)/' },
    ),
    forbid(
      'client-stands-alone',
      'The client must not import anything else',
      { path: '^packages/client/src/' },
      { pathNot: '^packages/client/src/' },
    ),
    forbid(
      'client-by-name',
      'Import @agate/client, not its files',
      { path: [DASHBOARD, COMMAND_LINE] },
      { path: '^packages/client/src/', pathNot: '^packages/client/src/index\\.ts$' },
    ),
    forbid(
      'no-dead-files-of-the-command-line',
      'Every source must be reachable from main.ts',
      { path: `${COMMAND_LINE}/main\\.ts$` },
      { path: `${COMMAND_LINE}/`, pathNot: ['\\.d\\.ts$', '/main\\.ts$'], reachable: false },
    ),
    forbid(
      'packages-stand-alone',
      'The dashboard and the command line must not import each other',
      { path: '^packages/(dashboard|cli)/src/' },
      { path: '^packages/(dashboard|cli)/src/', pathNot: '^packages/$1/src/' },
    ),
    forbid(
      'screens-stand-alone',
      'A screen must not import another screen. Move what both need to parts',
      { path: `${DASHBOARD}/screens/([^/]+)/` },
      { path: `${DASHBOARD}/screens/`, pathNot: [`${DASHBOARD}/screens/$1/`, `${DASHBOARD}/screens/screen\\.ts$`] },
    ),
    forbid(
      'screens-are-the-top',
      'Only router.tsx and the frame may import screens',
      { path: DASHBOARD, pathNot: [`${DASHBOARD}/router\\.tsx$`, inside('screens', 'frame')] },
      { path: inside('screens') },
    ),
    forbid(
      'parts-are-below-screens',
      'Parts are made of ui',
      { path: inside('parts') },
      { path: inside('screens', 'frame') },
    ),
    forbid(
      'ui-knows-no-api',
      'Primitives must work without the API',
      { path: inside('ui') },
      {
        path: [
          inside('screens', 'parts', 'frame', 'queries', 'session', 'uploads'),
          '^packages/client/',
          '/node_modules/@tanstack/',
        ],
      },
    ),
    forbid(
      'queries-know-no-screens',
      'Queries must work without components',
      { path: inside('queries') },
      { path: inside('screens', 'parts', 'frame', 'ui') },
    ),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: path.join(__dirname, 'packages', 'dashboard', 'tsconfig.json') },
    exclude: { path: '\\.spec\\.tsx?$|^packages/[^/]+/(dist|test)/' },
    doNotFollow: { path: '(^|/)node_modules/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['types', 'import', 'default'],
      extensions: ['.ts', '.tsx', '.d.ts', '.js', '.css', '.svg', '.json'],
    },
  },
};
