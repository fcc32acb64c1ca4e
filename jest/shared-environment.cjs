// The test environment of every ring: test files run in the worker process's own global scope, not in a `vm` context of their own.
// So they share the application and the packages that the process has evaluated once (shared-runtime.cjs), and there is
// one `Error`, one `Date` and one `Buffer`. What a test file changes of the globals is put back when it ends.
const vm = require('node:vm');
const { LegacyFakeTimers, ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');
require('./load-typescript.cjs');

/** Jest compiles test files for this; it stands for the scope that is there anyway. */
const MAIN_CONTEXT = {};
const { compileFunction } = vm;
vm.compileFunction = (code, parameters, { parsingContext, ...options } = {}) =>
  compileFunction(code, parameters, parsingContext === MAIN_CONTEXT ? options : { ...options, parsingContext });

/** The global scope for fake timers, by another identity: of the scope itself they would fake `node:timers/promises` too. */
const scopeOfFakeTimers = new Proxy(globalThis, {
  get: (scope, name) => Reflect.get(scope, name),
  set: (scope, name, value) => Reflect.set(scope, name, value),
});

const LINES_PER_FAILURE = 20;
const isWarning = (line) => /"level":"(warn|error|fatal)"/.test(line);

/** Symbols under which jest-circus keeps the state of one test file. */
const CIRCUS_STATE =
  /^(JEST_STATE_SYMBOL|EVENT_HANDLERS|TEST_TIMEOUT_SYMBOL|RETRY_\w+|WAIT_BEFORE_RETRY|LOG_ERRORS_BEFORE_RETRY)$/;

class SharedEnvironment {
  /** The number of lines of each log that were printed. */
  #printed = new Map();

  constructor({ projectConfig: config }) {
    const global = (this.global = globalThis);
    this.moduleMocker = new ModuleMocker(global);
    const timerConfig = { idToRef: (timer) => timer, refToId: (timer) => timer };
    this.fakeTimers = new LegacyFakeTimers({ config, global, moduleMocker: this.moduleMocker, timerConfig });
    this.fakeTimersModern = new ModernFakeTimers({ config, global: scopeOfFakeTimers });
    global.agateTestLogs = [];
    const { console } = global;
    const { env, exit } = process;
    const variables = { ...env };
    this.restore = () => {
      global.console = console;
      Object.assign(process, { env, exit });
      for (const name of Object.keys(env)) if (!(name in variables)) delete env[name];
      Object.assign(env, variables);
      for (const key of Object.getOwnPropertySymbols(global)) {
        if (CIRCUS_STATE.test(key.description)) delete global[key];
      }
    };
  }

  async setup() {}

  /** Prints what the applications of the file logged as warnings and errors before a test or a hook failed. */
  handleTestEvent({ name }) {
    if (name !== 'hook_failure' && name !== 'test_fn_failure') return;
    for (const lines of this.global.agateTestLogs) {
      const warnings = lines.slice(this.#printed.get(lines)).filter(isWarning).slice(-LINES_PER_FAILURE);
      this.#printed.set(lines, lines.length);
      if (warnings.length > 0)
        console.error(['The application logged:', ...warnings].map((line) => line.trimEnd()).join('\n'));
    }
  }

  async teardown() {
    this.fakeTimers.dispose();
    this.fakeTimersModern.dispose();
    this.restore();
    delete this.global.agateTestLogs;
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return MAIN_CONTEXT;
  }
}

module.exports = SharedEnvironment;
