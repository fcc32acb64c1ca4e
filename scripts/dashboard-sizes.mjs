// npm run dashboard:sizes: fails when the built dashboard sends more than its limits. Sizes are gzip, in kB of 1000 bytes.
import './support/node-version.mjs';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { ensureDashboardBuilt } from './support/builds.mjs';
import { Failure, root, run } from './support/project.mjs';

const BUILT = path.join(root, 'dist', 'dashboard');
const LIMITS = { logIn: 127, firstScreen: 152, anyScreen: 190, allScripts: 440, allStyles: 20 };
const SESSION = 'src/screens/session/';
const FRAME = 'src/frame/frame.tsx';

/** The sizes of the built dashboard in kB, as lists of a name, a limit and a size. @throws Failure when the build lacks a known source. */
export function dashboardSizes() {
  const manifest = JSON.parse(readFileSync(path.join(BUILT, '.vite', 'manifest.json'), 'utf8'));
  const sizes = new Map();
  const sizeOf = (file) => {
    if (!sizes.has(file)) sizes.set(file, gzipSync(readFileSync(path.join(BUILT, file)), { level: 9 }).length / 1000);
    return sizes.get(file);
  };
  const sum = (files) => [...files].reduce((total, file) => total + sizeOf(file), 0);

  /** The scripts that a browser loads for the sources: their chunks and those that they import. */
  const scriptsOf = (sources, found = new Set()) => {
    for (const source of sources) {
      const { file, imports = [] } = manifest[source] ?? {};
      if (file === undefined || found.has(file)) continue;
      found.add(file);
      scriptsOf(imports, found);
    }
    return found;
  };
  const languages = ['en', 'de'].map((tag) => `src/words/${tag}/every-screen.ts`);
  /** The largest size of a screen in any language, with the texts of the areas that it shows. */
  const screen = (areas, ...sources) =>
    Math.max(
      ...languages.map((language) =>
        sum(
          scriptsOf([
            'index.html',
            language,
            ...areas.map((area) => language.replace('every-screen', area)),
            ...sources,
          ]),
        ),
      ),
    );

  // A screen of a folder such as builds/ shows the texts of several areas: those of its folder, and at most four more.
  const areasOf = (source) => [source.split('/')[2], 'build', 'promotion', 'differences', 'uploads'];
  const screens = Object.keys(manifest).filter((source) => /^src\/screens\/.*\.tsx$/.test(source));
  const inside = screens
    .filter((source) => !source.startsWith(SESSION))
    .map((source) => ({ source, size: screen(areasOf(source), FRAME, source) }))
    .sort((one, other) => other.size - one.size);
  const files = readdirSync(path.join(BUILT, 'static')).map((name) => `static/${name}`);
  const rows = [
    ['log-in', LIMITS.logIn, screen([], `${SESSION}entrance.tsx`, `${SESSION}log-in.tsx`)],
    ['first screen inside', LIMITS.firstScreen, screen(['projects'], FRAME, 'src/screens/projects/projects.tsx')],
    [`largest screen (${inside[0]?.source})`, LIMITS.anyScreen, inside[0]?.size ?? 0],
    ['all scripts', LIMITS.allScripts, sum(files.filter((name) => name.endsWith('.js')))],
    ['all styles', LIMITS.allStyles, sum(files.filter((name) => name.endsWith('.css')))],
  ];
  const missing = [FRAME, 'src/screens/projects/projects.tsx', `${SESSION}log-in.tsx`, ...languages].filter(
    (source) => !(source in manifest),
  );
  if (missing.length > 0)
    throw new Failure(`The manifest lacks ${missing.join(', ')}. Adapt scripts/dashboard-sizes.mjs.`);
  return rows;
}

async function check() {
  await ensureDashboardBuilt();
  const rows = dashboardSizes();
  for (const [what, limit, size] of rows) console.log(`${size.toFixed(1).padStart(7)} kB of ${limit}: ${what}`);
  const exceeded = rows.filter(([, limit, size]) => size > limit);
  if (exceeded.length > 0) throw new Failure(`Larger than its limit: ${exceeded.map(([what]) => what).join(', ')}.`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await run(check);
