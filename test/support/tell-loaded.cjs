// For NODE_OPTIONS=--require: at its end a process tells how many files of OpenTelemetry it has loaded.
const { _cache } = require('node:module');

process.on('exit', () => {
  const files = Object.keys(_cache).filter((file) => file.includes('@opentelemetry'));
  process.stdout.write(`loaded of OpenTelemetry: ${files.length}\n`);
});
