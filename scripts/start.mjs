// npm start: starts the service. Builds it first if the sources have changed.
import './support/node-version.mjs';
import { runToCompletion } from './support/child.mjs';
import { ensureBuilt, run } from './support/project.mjs';

await run(async () => {
  await ensureBuilt();
  await runToCompletion(['dist/src/main.js']);
});
