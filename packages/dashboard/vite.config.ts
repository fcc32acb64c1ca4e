import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import { PATHS } from './src/paths';

/** Writes the paths of the router beside the built files, so that the service knows which addresses are the dashboard's. */
const writePaths: Plugin = {
  name: 'write-paths',
  writeBundle({ dir }) {
    writeFileSync(path.join(dir ?? 'dist', 'routes.json'), `${JSON.stringify(PATHS, null, 2)}\n`);
  },
};

/**
 * Sources that are always loaded together, by the log-in or by every screen behind it. The bundler would make a file of each, and forty
 * small files compress badly and are forty requests.
 */
const LOADED_TOGETHER = {
  visitor: [
    'frame/use-title',
    'ui/actions/icon-button',
    'ui/forms/field',
    'ui/forms/password-field',
    'ui/forms/text-field',
    'ui/visually-hidden',
  ],
  member: [
    'parts/lists/.*',
    'session/use-may',
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
  test: new RegExp(`[\\\\/]src[\\\\/](?:${sources.join('|').replaceAll('/', '[\\\\/]')})\\.(?:tsx?|css)$`),
  // What they import may be in the first file already.
  includeDependenciesRecursively: false,
}));

/** The service to which `npm run dashboard` forwards requests. */
const service = process.env['AGATE_URL'] ?? 'http://localhost:3000';
const FORWARDED = ['/api', '/install', '/download', '/icons', '/assets'];

export default defineConfig({
  root: import.meta.dirname,
  plugins: [writePaths],
  resolve: { alias: { '@agate/client': path.resolve(import.meta.dirname, '../client/src/index.ts') } },
  build: {
    target: 'es2023',
    manifest: true,
    // Lists of the files behind each screen would stand in the first file. Styles must still come before their screen.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_file, files) => files.filter((file) => file.endsWith('.css')),
    },
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
              test: /node_modules[\\/](?:react|react-dom|scheduler|use-sync-external-store|@tanstack)[\\/]/,
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
});
