import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import { firstRequestsOf, type Path, PATHS, SCREENS } from './src/paths';

/** The sources, areas of texts and requests that each screen needs first, as the service reads them. */
function firstNeedsOf(path: Path) {
  const [file, ...words] = SCREENS[path];
  const around = file.startsWith('session/') ? 'screens/session/entrance' : 'frame/frame';
  return {
    sources: [`src/${around}.tsx`, `src/screens/${file}.tsx`],
    words,
    requests: firstRequestsOf(path),
  };
}

/** Writes the paths of the router beside the built files, so that the service knows the addresses of the dashboard. */
const writePaths: Plugin = {
  name: 'write-paths',
  writeBundle({ dir }) {
    const routes = Object.fromEntries(PATHS.map((each) => [each, firstNeedsOf(each)]));
    writeFileSync(path.join(dir ?? 'dist', 'routes.json'), `${JSON.stringify(routes, null, 2)}\n`);
  },
};

const JSX_RUNTIME = 'react/jsx-runtime';
const NAMED_JSX_RUNTIME = '\0named-jsx-runtime';

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
    'logo',
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
    'frame/(banners|deferred|not-found|organization|project|use-place)',
    'frame/(live|navigation)/.*',
    'parts/attention/.*',
    'queries/account/own-invitations',
    'ui/charts/(charts.module|sparkline)',
    'parts/lists/.*',
    'session/use-may',
    'session/use-project-place',
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
    'ui/overlays/(dialog|menu|toast)',
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
const FORWARDED = ['/api', '/install', '/download', '/icons', '/assets'];

export default defineConfig(({ command }) => ({
  root: import.meta.dirname,
  plugins: [writePaths, nameJsxRuntime],
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
