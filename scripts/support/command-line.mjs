import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { bundledLibraries, licensesOf } from './bundled-libraries.mjs';
import { compressFiles } from './compress-files.mjs';
import { inRoot } from './project.mjs';
import { tarOf } from './tar.mjs';
import { versionOfBuild } from './version.mjs';

const PACKAGE = inRoot('packages', 'cli');
export const COMMAND_LINE_OUTPUT = path.join(PACKAGE, 'dist');
/** The GitHub Action, which contains the command line. It is built where action.yml expects it. */
const ACTION = inRoot('packages', 'action');
const ACTION_PROGRAM = path.join(ACTION, 'dist', 'main.mjs');
/** The program in one file, for `node agate.mjs` and `curl … | node`. */
const PROGRAM = 'agate.mjs';
/** The licences of the libraries that the program contains. Its file has no comments. */
const LICENSES = 'LICENSES';

const json = (file) => JSON.parse(readFileSync(file, 'utf8'));

/**
 * Builds the command line: one file, an npm package of it, the checksums of both, and the GitHub Action. The same sources give the same
 * bytes.
 */
export async function buildCommandLine() {
  const version = versionOfBuild();
  const program = await bundle(path.join(PACKAGE, 'src', 'main.ts'), version);
  const licenses = licensesOf(bundledLibraries('packages/cli'));
  const tarball = packageOf(version, program, licenses);
  const files = { [PROGRAM]: program, [`agate-${version}.tgz`]: tarball, [LICENSES]: licenses };
  const sums = Object.entries(files).map(([name, content]) => `${sha256(content)}  ${name}\n`);
  rmSync(COMMAND_LINE_OUTPUT, { recursive: true, force: true });
  mkdirSync(COMMAND_LINE_OUTPUT, { recursive: true });
  for (const [name, content] of Object.entries({ ...files, SHA256SUMS: sums.join('') })) {
    writeFileSync(path.join(COMMAND_LINE_OUTPUT, name), content);
  }
  await compressFiles(COMMAND_LINE_OUTPUT);
  await buildAction(version);
}

async function buildAction(version) {
  const action = await bundle(path.join(ACTION, 'src', 'main.ts'), version);
  mkdirSync(path.dirname(ACTION_PROGRAM), { recursive: true });
  writeFileSync(ACTION_PROGRAM, action);
}

async function bundle(input, version) {
  const { rolldown } = await import('rolldown');
  const build = await rolldown({
    input,
    platform: 'node',
    tsconfig: false,
    resolve: {
      alias: {
        '@agate/client': inRoot('packages', 'client', 'src', 'index.ts'),
        undici$: path.join(PACKAGE, 'bundle', 'undici.mjs'),
      },
    },
    transform: { target: 'node20', define: { AGATE_CLI_VERSION: JSON.stringify(version) } },
    onLog(level, log) {
      if (level === 'warn') throw new Error(log.message);
    },
  });
  const { output } = await build.generate({
    format: 'esm',
    // One file, whose rarely used parts are evaluated when they are first imported.
    codeSplitting: false,
    minify: true,
    comments: { legal: false },
    banner: '#!/usr/bin/env node',
  });
  await build.close();
  return Buffer.from(output[0].code);
}

/** The package that `npm pack` would make. npm and npx install it from any address. */
function packageOf(version, program, licenses) {
  const { name, description, license, engines } = json(path.join(PACKAGE, 'package.json'));
  const manifest = { name, version, description, license, type: 'module', bin: { agate: PROGRAM }, engines };
  const archive = tarOf([
    { name: 'package/package.json', content: Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`) },
    { name: `package/${PROGRAM}`, content: program, mode: 0o755 },
    { name: 'package/LICENSE', content: readFileSync(inRoot('LICENSE')) },
    { name: `package/${LICENSES}`, content: licenses },
  ]);
  const compressed = gzipSync(archive, { level: 9 });
  // The system on which it was compressed: unknown, so that the bytes do not depend on it.
  compressed[9] = 255;
  return compressed;
}

const sha256 = (content) => createHash('sha256').update(content).digest('hex');
