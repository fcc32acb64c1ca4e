// npm start: the service, built first if its sources have changed.
import './support/node-version.mjs';
import { runToTheEnd } from './support/child.mjs';
import { ensureBuilt, run } from './support/project.mjs';

await run(async () => {
  await ensureBuilt();
  await runToTheEnd(['dist/src/main.js']);
});
