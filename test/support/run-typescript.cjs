// Lets a child process of a test run our TypeScript as it stands: `node -r <this file> script.ts`. Compiles with swc and
// resolves the rings' import aliases to src, where package.json points at dist.
const fs = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const { transformSync } = require('@swc/core');

const root = path.join(__dirname, '..', '..');
const resolve = Module._resolveFilename;
Module._resolveFilename = function (request, ...rest) {
  const alias = /^#(kernel|platform|app|modules)\/(.+)$/.exec(request);
  const target = alias ? path.join(root, 'src', alias[1], alias[2], alias[1] === 'modules' ? 'index' : '') : request;
  return resolve.call(this, target, ...rest);
};

require.extensions['.ts'] = (module, filename) => {
  const { code } = transformSync(fs.readFileSync(filename, 'utf8'), {
    filename,
    swcrc: false,
    sourceMaps: 'inline',
    module: { type: 'commonjs' },
    jsc: {
      parser: { syntax: 'typescript', decorators: true },
      target: 'es2022',
      keepClassNames: true,
      transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    },
  });
  module._compile(code, filename);
};
