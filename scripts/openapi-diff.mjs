// npm run openapi:diff      does the API keep what the last release promised? Fails and says where it does not.
// npm run openapi:release   what stands now is promised from now on; `npm version` does it (CONTRIBUTING.md).
import './support/node-version.mjs';
import { copyFileSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Failure, root, run } from './support/project.mjs';

const PROMISED = path.join(root, 'docs/releases/openapi.json');
const CURRENT = path.join(root, 'docs/generated/openapi.json');
const SHOWN = 30;

const require = createRequire(import.meta.url);

await run(() => {
  require('../test/support/run-typescript.cjs');
  const { breakingChanges } = require('./reference/breaking-changes.ts');
  const [promised, current] = [PROMISED, CURRENT].map((file) => JSON.parse(readFileSync(file, 'utf8')));
  const broken = breakingChanges(promised, current);
  if (broken.length > 0) {
    const more = broken.length > SHOWN ? [`and ${broken.length - SHOWN} more`] : [];
    throw new Failure(['Clients of the last release would break:', ...broken.slice(0, SHOWN), ...more].join('\n  '));
  }
  if (process.argv.includes('--release')) copyFileSync(CURRENT, PROMISED);
  console.log('Clients of the last release can go on as they are.');
});
