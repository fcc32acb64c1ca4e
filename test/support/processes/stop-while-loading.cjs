// Sends SIGTERM to its own process just before the service is loaded: `NODE_OPTIONS=--require=<this file>`.
const Module = require('node:module');
const load = Module._load;

Module._load = function (request, ...rest) {
  if (request === '#app/service') process.kill(process.pid, 'SIGTERM');
  return load.call(this, request, ...rest);
};
