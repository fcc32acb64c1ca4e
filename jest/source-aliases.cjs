// Makes Node resolve aliases such as `#kernel/…` to the sources instead of `dist`, for code outside Jest's module system.
const Module = require('node:module');
const path = require('node:path');

const root = path.resolve(__dirname, '..');
const resolveFilename = Module._resolveFilename;

Module._resolveFilename = function (request, ...rest) {
  const [, ring, name] = /^#(kernel|infra|modules|read-models|app)\/(.+)$/.exec(request) ?? [];
  const file = ring && path.join(root, 'src', ring, name, ring === 'modules' ? 'index.ts' : '');
  return resolveFilename.call(this, file?.replace(/\/$/, '') ?? request, ...rest);
};
