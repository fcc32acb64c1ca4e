// Lets Node itself resolve `#kernel/…` and its kin to the sources, not to `dist`: for what runs outside Jest's module system.
const Module = require('node:module');
const path = require('node:path');

const root = path.resolve(__dirname, '..');
const resolveFilename = Module._resolveFilename;

Module._resolveFilename = function (request, ...rest) {
  const [, ring, name] = /^#(kernel|infra|modules|app)\/(.+)$/.exec(request) ?? [];
  const file = ring && path.join(root, 'src', ring, name, ring === 'modules' ? 'index.ts' : '');
  return resolveFilename.call(this, file?.replace(/\/$/, '') ?? request, ...rest);
};
