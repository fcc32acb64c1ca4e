// Lets Node itself load our TypeScript: `.ts` files are compiled by swc, aliases such as `#kernel/…` lead to the sources instead of
// `dist`, and a worker thread whose file is TypeScript runs the built file, or loads TypeScript too. Used by child processes of tests
// (test/support/processes/run-typescript.cjs) and by Jest's own processes (shared-runtime.cjs).
require('./source-aliases.cjs');
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const threads = require('node:worker_threads');
const { forNode: options } = require('../scripts/support/swc-options.cjs');

// Compiled files are kept by the hash of all that they depend on, because compiling takes longer than running most of them.
const root = path.resolve(__dirname, '..');
const cache = path.join(root, 'node_modules/.cache/agate-swc');
const { version } = require('@swc/core/package.json');
const environment = JSON.stringify([version, options]);

/** Source maps of the files that this process has loaded: file name to the map's path. */
const sourceMaps = new Map();

function compile(filename) {
  const source = fs.readFileSync(filename, 'utf8');
  const key = createHash('sha1').update(environment).update('\0').update(filename).update('\0').update(source);
  const stored = path.join(cache, `${key.digest('hex')}.js`);
  sourceMaps.set(filename, `${stored}.map`);
  try {
    return fs.readFileSync(stored, 'utf8');
  } catch {
    const { code, map } = require('@swc/core').transformSync(source, { ...options, filename });
    fs.mkdirSync(cache, { recursive: true });
    store(`${stored}.map`, map);
    store(stored, `${code}\n//# sourceMappingURL=${stored}.map`);
    return code;
  }
}

/** Processes may store the same file at once: each writes its own and renames it. */
function store(file, content) {
  const written = `${file}.${process.pid}.${threads.threadId}`;
  fs.writeFileSync(written, content);
  fs.renameSync(written, file);
}

Module._extensions['.ts'] = (module, filename) => module._compile(compile(filename), filename);

// graphile-worker remembers the options of every job worker in a Map until the process ends, and with them the application and everything
// that the tests of the application refer to. A process that runs many test files would stop for seconds to collect garbage.
const loadScript = Module._extensions['.js'];
const optionsOfWorkers = path.join('graphile-worker', 'dist', 'taskIdentifiers.js');
Module._extensions['.js'] = (module, filename) => {
  if (!filename.endsWith(optionsOfWorkers)) return loadScript(module, filename);
  module._compile(fs.readFileSync(filename, 'utf8').replace('new Map()', 'new WeakMap()'), filename);
};

/** The built file of a source, which starts in half the time, if the service was built from the present sources (scripts/test.mjs). */
function builtOf(source) {
  const built = path.join(root, 'dist', path.relative(root, source)).replace(/\.ts$/, '.js');
  return process.env.AGATE_TEST_BUILT && fs.existsSync(built) ? built : undefined;
}

threads.Worker = class extends threads.Worker {
  constructor(file, workerOptions = {}) {
    const source = typeof file === 'string' && file.endsWith('.ts') ? file : undefined;
    const built = source && builtOf(source);
    super(built ?? file, source && !built ? { ...workerOptions, execArgv: ['--require', __filename] } : workerOptions);
  }
};

module.exports = { sourceMaps };
