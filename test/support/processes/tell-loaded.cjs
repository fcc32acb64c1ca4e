// For NODE_OPTIONS=--require: at its end a process tells how many files of OpenTelemetry's SDK it has loaded. The API alone, which
// prom-client loads for its own purposes, does nothing.
const { _cache } = require('node:module');

process.on('exit', () => {
  const files = Object.keys(_cache).filter((file) => /@opentelemetry[\\/](?!api[\\/])/.test(file));
  process.stdout.write(`loaded of OpenTelemetry: ${files.length}\n`);
});
