// npm run generate: writes the files that are generated from the sources (docs/generated, .env.example, packages/client/src/generated.ts).
import './support/node-version.mjs';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { root, run } from './support/project.mjs';

const require = createRequire(import.meta.url);

await run(async () => {
  require('../test/support/processes/run-typescript.cjs');
  const { generatedFiles } = require('./reference/generated-files.ts');
  for (const [file, content] of await generatedFiles()) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), content);
    console.log(file);
  }
});
