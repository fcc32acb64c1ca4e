// npm run openapi:diff: checks that the API is compatible with the last release. Fails and lists the breaking changes
// otherwise.
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
    throw new Failure(
      ['These changes break clients of the last release:', ...broken.slice(0, SHOWN), ...more].join('\n  '),
    );
  }
  console.log('The API is compatible with the last release.');
});
