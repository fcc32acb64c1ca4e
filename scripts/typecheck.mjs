// npm run typecheck: checks the types of all projects with TypeScript's native compiler, which needs a quarter of the CPU time of
// `typescript`. `typescript` stays for the programs that use its API: the linter and some tests.
import './support/node-version.mjs';
import { runToCompletion } from './support/child.mjs';
import { run } from './support/project.mjs';

const PROJECTS = [
  'tsconfig.json',
  'tsconfig.build.json',
  'packages/client',
  'packages/dashboard',
  'packages/cli',
  'packages/action',
];

await run(async () => {
  for (const project of PROJECTS) {
    await runToCompletion(['node_modules/typescript-native/bin/tsc', '--noEmit', '--project', project]);
    if (process.exitCode) break;
  }
});
