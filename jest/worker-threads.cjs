// node:worker_threads, as tests see it: a worker whose file is TypeScript first learns to load TypeScript.
const threads = require('worker_threads');

class Worker extends threads.Worker {
  constructor(file, options = {}) {
    const typescript = typeof file === 'string' && file.endsWith('.ts');
    super(
      file,
      typescript
        ? { ...options, execArgv: ['--require', require.resolve('../test/support/processes/run-typescript.cjs')] }
        : options,
    );
  }
}

module.exports = { ...threads, Worker };
