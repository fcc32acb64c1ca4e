import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { bundledLibraries, licensesOf } from './bundled-libraries.mjs';
import { buildCommandLine, COMMAND_LINE_OUTPUT } from './command-line.mjs';
import { compressFiles } from './compress-files.mjs';
import { bundleInspectionWorker } from './inspection-worker.mjs';
import { step } from './progress.mjs';
import { inRoot, requireInstalled, root, runQuietly, withLock } from './project.mjs';
import { bundleService } from './service-bundle.mjs';
import { compileService } from './service-modules.mjs';
import { versionOfBuild } from './version.mjs';

const DASHBOARD = inRoot('packages', 'dashboard');
/**
 * The folder into which Vite writes. The build of the service empties `dist`, so files that are served beside it are kept elsewhere and
 * copied.
 */
const DASHBOARD_OUTPUT = path.join(DASHBOARD, 'dist');
/** Outside of `dist`, too. */
const HELP_OUTPUT = inRoot('node_modules', '.cache', 'help');

/** The sides of the program. Each has a stamp: the hash of the files that it was built from. */
const service = {
  stamp: inRoot('dist', '.built-from'),
  files: [
    'package-lock.json',
    'package.json',
    ...[
      'service-modules.mjs',
      'swc-options.cjs',
      'inspection-worker.mjs',
      'service-bundle.mjs',
      'compile-bundle.cjs',
      'version.mjs',
    ].map((name) => `scripts/support/${name}`),
  ],
  folders: ['src', 'migrations'],
  exists: () => existsSync(inRoot('src')),
  build: buildService,
};
const dashboard = {
  stamp: path.join(DASHBOARD_OUTPUT, '.built-from'),
  files: [
    'package-lock.json',
    'scripts/support/bundled-libraries.mjs',
    'scripts/support/compress-files.mjs',
    'packages/client/tsconfig.json',
    ...['index.html', 'package.json', 'tsconfig.json', 'vite.config.ts'].map((name) => `packages/dashboard/${name}`),
  ],
  folders: ['packages/client/src', 'packages/dashboard/src'],
  exists: () => existsSync(path.join(DASHBOARD, 'index.html')),
  build: buildDashboard,
  output: DASHBOARD_OUTPUT,
  served: inRoot('dist', 'dashboard'),
};
const commandLine = {
  stamp: path.join(COMMAND_LINE_OUTPUT, '.built-from'),
  files: [
    'package-lock.json',
    'package.json',
    'LICENSE',
    'packages/cli/package.json',
    'packages/cli/bundle/undici.mjs',
    'scripts/support/bundled-libraries.mjs',
    'scripts/support/command-line.mjs',
    'scripts/support/compress-files.mjs',
    'scripts/support/tar.mjs',
    'scripts/support/version.mjs',
  ],
  folders: ['packages/client/src', 'packages/cli/src', 'packages/action/src'],
  exists: () => existsSync(inRoot('packages', 'cli', 'src')),
  build: buildCommandLine,
  output: COMMAND_LINE_OUTPUT,
  served: inRoot('dist', 'cli'),
};
/** The documents at `/help`. */
const help = {
  stamp: path.join(HELP_OUTPUT, '.built-from'),
  files: [
    'package-lock.json',
    'package.json',
    'CHANGELOG.md',
    'SECURITY.md',
    'docker/README.md',
    'packages/fastlane/README.md',
    'scripts/support/compress-files.mjs',
    'src/infra/pages/assets/logo.svg',
    'src/infra/pages/assets/page.css',
  ],
  folders: ['docs', 'scripts/help', 'src/app/help/templates'],
  exists: () => existsSync(inRoot('docs')),
  build: buildDocuments,
  output: HELP_OUTPUT,
  served: inRoot('dist', 'help'),
};
const SIDES = [service, dashboard, commandLine, help];

/** Builds the sides whose sources have changed since their last build. */
export const ensureBuilt = () => ensureSidesBuilt(SIDES);

/** Whether the service was built from the present sources. */
export const isServiceBuilt = () => isBuilt(service);

/** Builds the service alone if its sources have changed since its last build. */
export const ensureServiceBuilt = () => ensureSidesBuilt([service]);

/** Builds the dashboard alone if its sources have changed since its last build. */
export const ensureDashboardBuilt = () => ensureSidesBuilt([dashboard]);

/** Builds the command line alone if its sources have changed since its last build. */
export const ensureCommandLineBuilt = () => ensureSidesBuilt([commandLine]);

async function ensureSidesBuilt(sides) {
  const stale = sides.filter((side) => side.exists() && !isBuilt(side));
  if (stale.length > 0) await withLock(() => step('Building', () => buildSides(stale)));
  serve();
}

/** Builds all sides. */
export async function build() {
  await withLock(() => buildSides(SIDES.filter((side) => side.exists())));
  serve();
}

/** Builds the dashboard only. */
export async function buildDashboardOnly() {
  await withLock(() => buildSides([dashboard]));
  serve();
}

/** Builds sides at the same time. Only building needs all packages, so a built service starts without those for development. */
async function buildSides(sides) {
  requireInstalled();
  const built = await Promise.allSettled(
    sides.map(async (side) => {
      const hash = sourceHash(side);
      await side.build();
      mkdirSync(path.dirname(side.stamp), { recursive: true });
      writeFileSync(side.stamp, hash);
    }),
  );
  const failed = built.find(({ status }) => status === 'rejected');
  if (failed) throw failed.reason;
}

async function buildService() {
  await compileService();
  writeFileSync(inRoot('dist', 'VERSION'), versionOfBuild());
  await bundleInspectionWorker(inRoot('dist'));
  await bundleService();
}

async function buildDashboard() {
  rmSync(DASHBOARD_OUTPUT, { recursive: true, force: true });
  const vite = inRoot('node_modules/vite/bin/vite.js');
  await runQuietly(process.execPath, [vite, 'build', DASHBOARD, '--configLoader', 'runner', '--logLevel', 'warn']);
  writeFileSync(path.join(DASHBOARD_OUTPUT, 'LICENSES'), licensesOf(bundledLibraries('packages/dashboard')));
  await compressFiles(path.join(DASHBOARD_OUTPUT, 'static'));
}

async function buildDocuments() {
  // Loaded here, because the scripts also run before the packages are installed.
  const { buildHelp } = await import('../help/build-help.mjs');
  buildHelp(root, HELP_OUTPUT);
  for (const folder of ['pages', 'assets']) await compressFiles(path.join(HELP_OUTPUT, folder));
}

/** Copies the built dashboard, command line and documents to where the service reads them, unless they are there. */
function serve() {
  const stampOf = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : null);
  for (const { stamp, output, served } of [dashboard, commandLine, help]) {
    const wanted = stampOf(stamp);
    if (wanted === null || stampOf(path.join(served, '.built-from')) === wanted) continue;
    mkdirSync(inRoot('dist'), { recursive: true });
    const next = `${served}.next`;
    rmSync(next, { recursive: true, force: true });
    cpSync(output, next, { recursive: true });
    rmSync(served, { recursive: true, force: true });
    renameSync(next, served);
  }
}

const isBuilt = (side) => existsSync(side.stamp) && readFileSync(side.stamp, 'utf8') === sourceHash(side);

function sourceHash({ files, folders }) {
  const hash = createHash('sha256');
  const add = (file) =>
    hash
      .update(`${path.relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0');
  for (const file of files) add(inRoot(file));
  for (const folder of folders) {
    readdirSync(inRoot(folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.spec.ts'))
      .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))
      .sort()
      .forEach(add);
  }
  return hash.digest('hex');
}
