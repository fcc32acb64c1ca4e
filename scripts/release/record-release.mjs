// npm run release:record: writes the version of package.json into every file that contains the version of the release, and
// records the OpenAPI document and the migrations of this release in docs/releases, to which later versions must stay compatible.
// `npm version` runs it; see CONTRIBUTING.md.
import '../support/node-version.mjs';
import { copyFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { root, run } from '../support/project.mjs';

const require = createRequire(import.meta.url);

await run(() => {
  require('../../test/support/processes/run-typescript.cjs');
  const { setVersion } = require('./version-places.ts');
  setVersion(require('../../package.json').version);
  const { digestsOfMigrations } = require('./migration-digests.ts');
  const migrations = `${JSON.stringify(digestsOfMigrations(), null, 2)}\n`;
  writeFileSync(path.join(root, 'docs/releases/migrations.json'), migrations);
  copyFileSync(path.join(root, 'docs/generated/openapi.json'), path.join(root, 'docs/releases/openapi.json'));
});
