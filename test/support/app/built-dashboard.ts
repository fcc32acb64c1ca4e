import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const SCREENS = path.join(__dirname, '../../../packages/dashboard/src/screens');

/** The patterns of the dashboard's router. Only the build can import the declarations, whose components need a browser. */
export const PATHS = readdirSync(SCREENS, { withFileTypes: true })
  .filter((folder) => folder.isDirectory())
  .map(({ name }) => readFileSync(path.join(SCREENS, name, 'routes.ts'), 'utf8'))
  .flatMap((source) => [...source.matchAll(/\bpath: '([^']+)'/g)].map(([, pattern]) => pattern!));

export const SCRIPT = `console.log('${'dashboard '.repeat(100)}')`;

const BEFORE_LOGIN = ['/login', '/signup', '/forgot-password'];

const needsOf = (path: string) => ({
  sources: [BEFORE_LOGIN.includes(path) ? 'src/screens/session/entrance.tsx' : 'src/frame/frame.tsx'],
  words: path.endsWith('/billing') ? ['billing'] : [],
  requests: [
    '/api/v1/login/session',
    ...(path.startsWith('/o/') ? ['/api/v1/projects?organization_id=$org&limit=50'] : []),
  ],
});

/** Writes a small dashboard in the form that the build gives it. Tests of the service do not need the real one. */
export function writeDashboard(): { readonly directory: string; readonly remove: () => void } {
  const directory = mkdtempSync(path.join(tmpdir(), 'agate-dashboard-'));
  const write = (name: string, content: string | Buffer): void => writeFileSync(path.join(directory, name), content);
  for (const folder of ['static', '.vite']) mkdirSync(path.join(directory, folder));
  write(
    'index.html',
    '<!doctype html><html lang="en"><head><script type="module" crossorigin src="/static/main.a1.js"></script></head><body><div class="boot"></div></body></html>',
  );
  write('routes.json', JSON.stringify(Object.fromEntries(PATHS.map((path) => [path, needsOf(path)]))));
  write(
    '.vite/manifest.json',
    JSON.stringify({
      'index.html': { file: 'static/main.a1.js' },
      'src/frame/frame.tsx': { file: 'static/frame.e5.js', imports: ['index.html', '_member'] },
      _member: { file: 'static/member.f6.js', imports: ['index.html'] },
      'src/words/de/billing.ts': { file: 'static/billing-de.b8.js' },
      'src/words/en/billing.ts': { file: 'static/billing-en.b7.js' },
      'src/words/de/every-screen.ts': { file: 'static/de.c3.js', imports: ['index.html'] },
      'src/words/en/every-screen.ts': { file: 'static/en.b2.js', imports: ['index.html'] },
    }),
  );
  write('LICENSES', 'react 1.2.3\n\nMIT License');
  write('static/main.a1.js', SCRIPT);
  write('static/main.a1.js.br', brotliCompressSync(SCRIPT));
  write('static/main.a1.js.gz', gzipSync(SCRIPT));
  write('static/slice.d4.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>');
  return { directory, remove: () => rmSync(directory, { recursive: true }) };
}
