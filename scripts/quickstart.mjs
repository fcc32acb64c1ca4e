// npm run quickstart: from a fresh clone to a running service with a demo in it.
import './support/node-version.mjs';
import { runToCompletion } from './support/child.mjs';
import { ensureBuilt, ensureInstalled, run } from './support/project.mjs';

await run(async () => {
  await ensureInstalled();
  await ensureBuilt();
  await runToCompletion(['dist/src/main.js', '--demo']);
});
