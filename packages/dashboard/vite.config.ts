import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { defineConfig, type Plugin, runnerImport } from 'vite';
import { type Screen } from './src/screens/screen';

const SESSION = '/api/v1/login/session';
/** The navigation of every screen of an organization needs this request. */
const NAVIGATION = '/api/v1/projects?organization_id=$org&include=summary&limit=50';

/** A screen with the file of its component, as a key of the manifest. */
type FoundScreen = Pick<Screen<string, string, object, never>, 'path' | 'words' | 'requests'> & {
  readonly source: string;
};

const FOUND_SCREENS = 'virtual:found-screens';

/** Reads the declarations of the screens. Their components, which need a browser, are replaced by the names of their files. */
const findScreens: Plugin = {
  name: 'find-screens',
  resolveId: (source) => (source === FOUND_SCREENS ? source : undefined),
  load(id) {
    if (id.endsWith('.tsx')) return `export const source = ${JSON.stringify(path.relative(import.meta.dirname, id))};`;
    if (id !== FOUND_SCREENS) return undefined;
    return `
      import * as screens from '/src/screens/routes.ts';
      const withSource = async (screen) => ({ ...screen, ...(await screen.file()) });
      export const found = await Promise.all(Object.values(screens).map(withSource));`;
  },
};

/** The sources, areas of texts and requests that a screen needs first, as the service reads them. A test compares the requests. */
const firstNeedsOf = ({ path: pattern, words = [], requests = [], source }: FoundScreen) => ({
  sources: [
    source.startsWith('src/screens/session/') ? 'src/screens/session/entrance.tsx' : 'src/frame/frame.tsx',
    source,
  ],
  words,
  requests: [SESSION, ...(pattern.startsWith('/o/') ? [NAVIGATION] : []), ...requests],
});

/** Writes the addresses of the screens and their first needs beside the built files, for the page of the service. */
const writeRoutes: Plugin = {
  name: 'write-routes',
  async writeBundle({ dir }) {
    const { module } = await runnerImport<{ found: readonly FoundScreen[] }>(FOUND_SCREENS, {
      root: import.meta.dirname,
      configFile: false,
      plugins: [findScreens],
    });
    const routes = Object.fromEntries(module.found.map((screen) => [screen.path, firstNeedsOf(screen)]));
    writeFileSync(path.join(dir ?? 'dist', 'routes.json'), `${JSON.stringify(routes, null, 2)}\n`);
  },
};

const JSX_RUNTIME = 'react/jsx-runtime';
const NAMED_JSX_RUNTIME = '\0named-jsx-runtime';

/** Fails when built files import each other: one of them would then run before what it imports, and the screens behind it stay empty. */
const refuseCycles: Plugin = {
  name: 'refuse-cycles',
  generateBundle(_options, bundle) {
    const clean = new Set<string>();
    const visit = (file: string, path: readonly string[]): void => {
      if (path.includes(file)) this.error(`Built files import each other: ${[...path, file].join(' → ')}.`);
      if (clean.has(file)) return;
      const built = bundle[file];
      for (const next of built?.type === 'chunk' ? built.imports : []) visit(next, [...path, file]);
      clean.add(file);
    };
    for (const file of Object.keys(bundle)) visit(file, []);
  },
};

/**
 * Converts the functions that every element calls into named exports. The CommonJS module would be called through an object, at each
 * element.
 */
const nameJsxRuntime: Plugin = {
  name: 'name-jsx-runtime',
  apply: 'build',
  enforce: 'pre',
  resolveId: (source, importer) =>
    source === JSX_RUNTIME && importer !== NAMED_JSX_RUNTIME ? NAMED_JSX_RUNTIME : undefined,
  load: (id) =>
    id === NAMED_JSX_RUNTIME
      ? `import * as runtime from '${JSX_RUNTIME}';\nexport const { jsx, jsxs, Fragment } = runtime;`
      : undefined,
};

const STYLES = readdirSync(path.join(import.meta.dirname, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.module.css'))
  .sort();
const shortNames = new Map<string, string>();

/** A short name for a class of a CSS module. It is the same in each build, because the content of a file decides its address. */
function shortClassName(name: string, file: string): string {
  const module = STYLES.indexOf(path.relative(path.join(import.meta.dirname, 'src'), file));
  const key = `${module}.${name}`;
  const known = shortNames.get(key);
  if (known !== undefined) return known;
  const before = [...shortNames.keys()].filter((other) => other.startsWith(`${module}.`)).length;
  // Two numbers in letters and digits. The names of global classes are words.
  const short = `c${module.toString(36)}_${before.toString(36)}`;
  shortNames.set(key, short);
  return short;
}

/**
 * Sources that are loaded together, by the login or by most screens behind it. The bundler would create a file of each, and forty small
 * files compress badly, contain each other's names, and need forty requests.
 */
const LOADED_TOGETHER = {
  visitor: [
    'frame/use-title',
    'session/choices/theme',
    'ui/forms/forms.module',
    'ui/actions/icon-button',
    'ui/forms/field',
    'ui/forms/form',
    'ui/forms/password-field',
    'ui/forms/text-field',
    'ui/visually-hidden',
  ],
  member: [
    'frame/(banners|deferred|found|frame.module|logged-in-as|not-found|use-place)',
    'frame/(live|navigation)/.*',
    // The navigation imports them. In the file of the frame, the two files would import each other.
    'frame/(keys/modifier|palette/palette-state)',
    'parts/attention/.*',
    'queries/account/own-invitations',
    'ui/charts/(charts.module|sparkline)',
    'parts/lists/.*',
    'session/use-may',
    'session/use-project-place',
    'queries/(by-cursor|changes)',
    'queries/organization/projects',
    'queries/project/(builds|channels|channel-choices)',
    'words/use-format',
    'ui/actions/(code-block|copy-button|copy-field|external-link|write-clipboard)',
    'ui/display/(badge|description-list)',
    'ui/forms/text-area',
    'ui/overlays/alert-dialog',
    'ui/data/data.module',
    'ui/data/load-more',
    'ui/data/table',
    'ui/display/app-icon',
    'ui/display/display.module',
    'ui/display/time',
    'ui/feedback/(banner|empty-state|error-card|feedback.module|skeleton)',
    'ui/forms/(checkbox|search-field|select)',
    'ui/layout/(card|page-header|stack)',
    'ui/more-icons',
    'ui/overlays/(dialog|menu|toast)',
  ],
  // Small parts of forms and lists, of which every screen that changes something needs a few.
  change: [
    'parts/(account-tabs|deletion-card|drafts|replace-link|use-dialog)',
    'parts/(files|members)/.*',
    'ui/data/(row-actions|selection-bar)',
    'ui/forms/(drop-zone|fieldset|guarded-form|submit-row)',
    'ui/overlays/(form-dialog|secret-once|typed-confirm)',
  ],
};

const groups = Object.entries(LOADED_TOGETHER).map(([name, sources]) => ({
  name,
  test: new RegExp(`[\\\\/]src[\\\\/](?:${sources.join('|').replaceAll('/', '[\\\\/]')})\\.(?:tsx?|css|svg)$`),
  // Their imports may be in the first file already.
  includeDependenciesRecursively: false,
}));

/** The service to which `npm run dev` forwards requests. */
const service = process.env['AGATE_URL'] ?? 'http://localhost:3000';
const FORWARDED = ['/api', '/install', '/download', '/icons', '/assets', '/help'];

export default defineConfig(({ command }) => ({
  root: import.meta.dirname,
  plugins: [writeRoutes, refuseCycles, nameJsxRuntime],
  // In development, classes have the names of the sources.
  css: command === 'build' ? { modules: { generateScopedName: shortClassName } } : {},
  resolve: { alias: { '@agate/client': path.resolve(import.meta.dirname, '../client/src/index.ts') } },
  build: {
    target: 'es2023',
    manifest: true,
    // The service names the files of a screen in its page.
    modulePreload: false,
    // One file of styles is loaded with the page, before any screen, and is smaller than the sum of its parts.
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1000,
    rollupOptions: {
      output: {
        entryFileNames: 'static/[name].[hash].js',
        chunkFileNames: 'static/[name].[hash].js',
        assetFileNames: 'static/[name].[hash][extname]',
        // One file of the libraries compresses better than several, and stays in caches when a screen changes.
        advancedChunks: {
          groups: [
            {
              name: 'libraries',
              test: /named-jsx-runtime|rolldown[\\/]runtime|node_modules[\\/](?:react|react-dom|scheduler|use-sync-external-store|@tanstack)[\\/]/,
            },
            ...groups,
          ],
        },
      },
    },
  },
  server: {
    port: 5173,
    strictPort: true,
    proxy: Object.fromEntries(FORWARDED.map((prefix) => [prefix, { target: service, changeOrigin: false }])),
  },
}));
