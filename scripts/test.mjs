// npm test [-- what Jest takes]: every ring that needs nothing but npm, from a fresh clone too.
import './support/node-version.mjs';
import { runToCompletion } from './support/child.mjs';
import { ensureInstalled, run } from './support/project.mjs';

await run(async () => {
  await ensureInstalled();
  const needMore = ['browser', 'caddy', 'redis'];
  await runToCompletion(['node_modules/jest/bin/jest.js', ...process.argv.slice(2), '--ignoreProjects', ...needMore]);
});
