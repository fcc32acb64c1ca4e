// For NODE_OPTIONS=--require: prints at exit how many files of the OpenTelemetry SDK the process has loaded. Files of the API do not
// count: prom-client loads them, and alone they do nothing.
const { _cache } = require('node:module');

process.on('exit', () => {
  const files = Object.keys(_cache).filter((file) => /@opentelemetry[\\/](?!api[\\/])/.test(file));
  process.stdout.write(`OpenTelemetry files loaded: ${files.length}\n`);
});
