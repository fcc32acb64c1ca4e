// Lets plain node (a worker thread started by a test) load TypeScript sources and their #aliases.
const fs = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const { transformSync } = require('@swc/core');

const SOURCES = path.join(__dirname, '..', 'src');
const ALIAS = /^#(kernel|platform|app)\/(.+)$/;

require.extensions['.ts'] = (module, file) => {
  const { code } = transformSync(fs.readFileSync(file, 'utf8'), {
    filename: file,
    jsc: { parser: { syntax: 'typescript', decorators: true }, target: 'es2022' },
    module: { type: 'commonjs' },
    swcrc: false,
  });
  module._compile(code, file);
};

const resolveFilename = Module._resolveFilename;
Module._resolveFilename = function (request, ...rest) {
  const alias = ALIAS.exec(request);
  return resolveFilename.call(this, alias ? path.join(SOURCES, alias[1], alias[2]) : request, ...rest);
};
