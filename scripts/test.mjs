// npm test [-- Jest options]: runs the quick test rings that need only npm. Works in a fresh clone.
// npm run test:endurance [-- Jest options]: runs the ring that kills and restarts processes, with a third worker, because its tests often
// wait: for timeouts, leases and checks that run each half minute.
import './support/node-version.mjs';
import { runToCompletion } from './support/child.mjs';
import { isServiceBuilt } from './support/builds.mjs';
import { ensureInstalled, run } from './support/project.mjs';

const [ring, ...options] = process.argv[2] === '--ring' ? process.argv.slice(3) : [undefined, ...process.argv.slice(2)];
const projects = ring
  ? ['--selectProjects', ring]
  : ['--ignoreProjects', 'apksigner', 'browser', 'caddy', 'endurance', 'pipelines', 'redis'];

await run(async () => {
  await ensureInstalled();
  // Tests start the service as a process several hundred times. A built service starts in half the time of its sources.
  const variables = {
    ...(isServiceBuilt() && { AGATE_TEST_BUILT: 'true' }),
    ...(ring === 'endurance' && { AGATE_TEST_WORKERS: '3' }),
  };
  await runToCompletion(['node_modules/jest/bin/jest.js', ...options, ...projects], variables);
  if (process.argv.length === 2) console.log('Tests that kill and restart processes: npm run test:endurance');
});
