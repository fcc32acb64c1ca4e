// Would the unit tests notice if the code that says who may do what were wrong?  npm run mutation
//
// Stryker breaks the access policy and the token formats in some hundred small ways and runs the tests beside them against
// each. Fails below 90 % of the breaks noticed. Runs in a copy of the sources; what it broke in vain is printed. Stryker is
// fetched for the run: it is too much to install for everybody who builds. 9.6 is the last line that runs on Node 20.
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
