// npm run quickstart: installs, builds and starts the service with demo data, from a fresh clone.
import './support/node-version.mjs';
import { runToCompletion } from './support/child.mjs';
import { ensureBuilt } from './support/builds.mjs';
import { ensureInstalled, run } from './support/project.mjs';

await run(async () => {
  await ensureInstalled();
  await ensureBuilt();
  await runToCompletion(['dist/src/main.js', '--demo']);
});
