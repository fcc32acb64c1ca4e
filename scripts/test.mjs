// npm test [-- Jest options]: runs the quick test rings that need only npm. Works in a fresh clone.
// npm run test:endurance, test:browser, or test:ring NAME [-- Jest options]: runs one of the other rings.
// npm run test:others [-- Jest options]: runs all of them but redis concurrently, so that each uses the time in which another one waits.
// The tests with Redis run alone, because a busy machine delays commands, whose responses the service expects within 250 ms.
import './support/node-version.mjs';
import { totalmem } from 'node:os';
import { runToCompletion } from './support/child.mjs';
import { isServiceBuilt } from './support/builds.mjs';
import { ensureInstalled, run } from './support/project.mjs';

const OTHERS = [
  'apksigner',
  'browser',
  'caddy',
  'endurance',
  'macho',
  'nginx',
  'pgbouncer',
  'pipelines',
  'postfix',
  'webhooks',
];
/** The heap of a test process grows by megabytes per test. Collections of a small young generation took a tenth of its CPU time. */
const HEAP = ['--max-semi-space-size=64', '--single-threaded-gc'];
/**
 * The tests of the endurance ring often wait: for timeouts, leases and checks that run each half minute. A worker with its browser and the
 * processes that it starts needs up to 3 GB.
 */
const WORKERS_THAT_WAIT = Math.min(4, Math.max(2, Math.floor(totalmem() / 3e9)));

const [ring, ...options] = process.argv[2] === '--ring' ? process.argv.slice(3) : [undefined, ...process.argv.slice(2)];
const rings = ring === 'others' ? OTHERS : [ring];
if (ring === 'redis') options.push('--runInBand');
const projects = ring ? ['--selectProjects', ...rings] : ['--ignoreProjects', ...OTHERS, 'redis'];

await run(async () => {
  await ensureInstalled();
  // Tests start the service as a process several hundred times. A built service starts in half the time of its sources.
  const variables = {
    ...(isServiceBuilt() && { AGATE_TEST_BUILT: 'true' }),
    ...(rings.includes('endurance') && { AGATE_TEST_WORKERS: String(WORKERS_THAT_WAIT) }),
  };
  await runToCompletion([...HEAP, 'node_modules/jest/bin/jest.js', ...options, ...projects], variables);
  if (process.argv.length === 2) console.log('Tests that kill and restart processes: npm run test:endurance');
});
