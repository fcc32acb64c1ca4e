// Jest evaluates every module again for every test file; the application and its packages take seconds. Here Node itself loads
// them, once per worker process; test files and their support stay with Jest. Databases keep test files apart, not modules.
// A test file that mocks a module, and a run that measures coverage or watches, gets its own copies of the sources.
const { createRequire, isBuiltin } = require('node:module');
const path = require('node:path');
const { default: Runtime } = require('jest-runtime');
const { sourceMaps } = require('./load-typescript.cjs');

const root = path.resolve(__dirname, '..');
const packages = `${path.sep}node_modules${path.sep}`;
/**
 * Stands for `AsyncLocalStorage` in jest-circus, which remembers with it which test or hook runs. Every storage makes Node notice each
 * promise that the application creates, until the process ends, and each test file creates one. Tests and hooks run one after the
 * other, so that a variable holds as much. `test.concurrent` would need the real one.
 */
class RunningTest {
  #store;

  getStore() {
    return this.#store;
  }

  async run(store, callback) {
    const before = this.#store;
    this.#store = store;
    try {
      return await callback();
    } finally {
      this.#store = before;
    }
  }
}

const sources = ['src', 'migrations', 'scripts'].map((folder) => path.join(root, folder) + path.sep);

class SharedRuntime extends Runtime {
  #ownSources;
  #requires = new Map();

  constructor(...parameters) {
    super(...parameters);
    const { collectCoverage, watch, watchAll } = parameters.at(-1);
    this.#ownSources = collectCoverage || watch || watchAll;
  }

  requireModule(from, name, options, isRequireActual) {
    const shared = name && !options?.isInternalModule && !isBuiltin(name) && this.#shared(from, name);
    return shared ? shared() : super.requireModule(from, name, options, isRequireActual);
  }

  requireInternalModule(from, name) {
    return name === 'node:async_hooks' ? { AsyncLocalStorage: RunningTest } : super.requireInternalModule(from, name);
  }

  setMock(...mock) {
    this.#ownSources = true;
    super.setMock(...mock);
  }

  getSourceMaps() {
    const own = super.getSourceMaps();
    return { get: (file) => own.get(file) ?? sourceMaps.get(file), [Symbol.iterator]: () => own[Symbol.iterator]() };
  }

  #shared(from, name) {
    if (!this.#requires.has(from)) this.#requires.set(from, createRequire(from));
    const load = this.#requires.get(from);
    let file;
    try {
      file = load.resolve(name);
    } catch {
      return undefined; // Jest's own resolver finds it, or says what is wrong.
    }
    return this.#isShared(file) ? () => load(file) : undefined;
  }

  #isShared(file) {
    if (file.includes(packages) || file.endsWith('.node')) return true;
    return !this.#ownSources && !file.endsWith('.spec.ts') && sources.some((folder) => file.startsWith(folder));
  }
}

module.exports = SharedRuntime;
module.exports.default = SharedRuntime;
