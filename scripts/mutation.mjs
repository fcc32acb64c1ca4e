// npm run mutation: checks that the unit tests detect changes to the access rules.
// Stryker changes the access policy and the token formats in several hundred small ways and runs their unit tests against
// each change. Fails if fewer than 90 % of the changes are detected, and prints the others. Works on a copy of the sources.
// Stryker is downloaded on demand, because few developers need it. 9.6 is its last version that runs on Node 20.
import './support/node-version.mjs';
import { ensureInstalled, root, run } from './support/project.mjs';
import { spawn } from 'node:child_process';

const VERSION = '9.6.1';

await run(async () => {
  await ensureInstalled();
  const packages = ['core', 'jest-runner'].flatMap((name) => ['-p', `@stryker-mutator/${name}@${VERSION}`]);
  const stryker = ['stryker', 'run', 'scripts/mutation.config.json', ...process.argv.slice(2)];
  const child = spawn('npx', ['-y', ...packages, ...stryker], { cwd: root, stdio: 'inherit' });
  process.exitCode = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
});
