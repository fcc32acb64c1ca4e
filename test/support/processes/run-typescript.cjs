// Lets a child process of a test run our TypeScript as it stands: `node --require <this file> script.ts`.
require('../../../jest/source-aliases.cjs');
const fs = require('node:fs');
const Module = require('node:module');
const { transformSync } = require('@swc/core');
const swcOptions = require('../../../jest/swc-options.cjs');

const compiled = swcOptions({ syntax: 'typescript', decorators: true });
// Unlike Jest, Node imports what is an ES module only.
const options = { ...compiled, module: { ...compiled.module, ignoreDynamic: true }, sourceMaps: 'inline' };

Module._extensions['.ts'] = (module, filename) =>
  module._compile(transformSync(fs.readFileSync(filename, 'utf8'), { ...options, filename }).code, filename);
