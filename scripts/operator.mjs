// npm run operator -- <command>: the operator command line. Builds it first if the sources have changed.
import './support/node-version.mjs';
import { runToCompletion } from './support/child.mjs';
import { ensureBuilt, run } from './support/project.mjs';

await run(async () => {
  await ensureBuilt();
  await runToCompletion(['dist/src/cli.js', ...process.argv.slice(2)]);
});
