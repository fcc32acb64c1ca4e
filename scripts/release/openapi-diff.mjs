// npm run openapi:diff: does the API keep what the last release promised? Fails and says where it does not.
import '../support/node-version.mjs';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Failure, root, run } from '../support/project.mjs';

const SHOWN = 30;

const require = createRequire(import.meta.url);
const read = (file) => JSON.parse(readFileSync(path.join(root, file), 'utf8'));

await run(() => {
  require('../../test/support/processes/run-typescript.cjs');
  const { breakingChanges } = require('./breaking-changes.ts');
  const broken = breakingChanges(read('docs/releases/openapi.json'), read('docs/generated/openapi.json'));
  if (broken.length > 0) {
    const more = broken.length > SHOWN ? [`and ${broken.length - SHOWN} more`] : [];
    throw new Failure(['Clients of the last release would break:', ...broken.slice(0, SHOWN), ...more].join('\n  '));
  }
  console.log('Clients of the last release can go on as they are.');
});
