// `node --require ./jest/register.cjs file.ts`: runs a source as it is, for tests that need a process of their own to kill.
require('./source-aliases.cjs');
const fs = require('node:fs');
const Module = require('node:module');
const { transformSync } = require('@swc/core');
const swcOptions = require('./swc-options.cjs');

const options = { ...swcOptions({ syntax: 'typescript', decorators: true }), sourceMaps: 'inline' };

Module._extensions['.ts'] = (module, filename) =>
  module._compile(transformSync(fs.readFileSync(filename, 'utf8'), { ...options, filename }).code, filename);
