// Sends SIGTERM to its own process just before it loads what handles signals: `NODE_OPTIONS=--require=<this file>`.
const Module = require('node:module');
const load = Module._load;

Module._load = function (request, ...rest) {
  if (request === '#app/start/launch') process.kill(process.pid, 'SIGTERM');
  return load.call(this, request, ...rest);
};
