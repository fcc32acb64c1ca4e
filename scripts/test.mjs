// npm test [-- Jest options]: runs all test rings that need only npm. Works in a fresh clone.
import './support/node-version.mjs';
import { runToCompletion } from './support/child.mjs';
import { ensureInstalled, run } from './support/project.mjs';

await run(async () => {
  await ensureInstalled();
  const needsMoreThanNpm = ['browser', 'caddy', 'redis'];
  await runToCompletion([
    'node_modules/jest/bin/jest.js',
    ...process.argv.slice(2),
    '--ignoreProjects',
    ...needsMoreThanNpm,
  ]);
});
