// npm start: starts the service, with the variables of .env if there is one. Builds it first if the sources have changed.
import './support/node-version.mjs';
import { runToCompletion } from './support/child.mjs';
import { loadEnvFile } from './support/env-file.mjs';
import { ensureBuilt } from './support/builds.mjs';
import { run } from './support/project.mjs';

await run(async () => {
  await ensureBuilt();
  loadEnvFile();
  await runToCompletion(['dist/src/main.js']);
});
