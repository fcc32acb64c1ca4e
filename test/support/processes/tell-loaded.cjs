// For NODE_OPTIONS=--require: prints at exit how many files of OpenTelemetry's SDK the process loaded. The API, which prom-client
// loads, is not counted.
const { _cache } = require('node:module');

process.on('exit', () => {
  const files = Object.keys(_cache).filter((file) => /@opentelemetry[\\/](?!api[\\/])/.test(file));
  process.stdout.write(`loaded of OpenTelemetry: ${files.length}\n`);
});
