// npm run sbom: writes sbom.cdx.json, the bill of materials (CycloneDX) of the packages with which the service runs, and of those in the
// scripts of the dashboard and in the command line, which it serves.
import './support/node-version.mjs';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { bundledLibraries } from './support/bundled-libraries.mjs';
import { Failure, root, run } from './support/project.mjs';

const FILE = 'sbom.cdx.json';
const MAX_BYTES = 64 * 1024 * 1024;

const readJson = (file) => JSON.parse(readFileSync(path.join(root, file), 'utf8'));
const nameOf = ({ group, name }) => (group ? `${group}/${name}` : name);

await run(() => {
  // From the lock file, which is what `npm ci` installs. `--omit dev` would also drop packages that development and the service share.
  const args = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx', '--sbom-type', 'application'];
  const bill = JSON.parse(execFileSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: MAX_BYTES }));
  const installed = Object.entries(readJson('package-lock.json').packages).filter(([where, { dev }]) => where && !dev);
  const bundled = ['packages/dashboard', 'packages/cli'].flatMap(bundledLibraries);
  const served = new Set([
    ...installed.map(([where, { name, version }]) => `${name ?? where.split('node_modules/').at(-1)}@${version}`),
    ...bundled.map(({ name, version }) => `${name}@${version}`),
  ]);
  // For npm the packages of bundles are development dependencies, which scanners may ignore.
  const components = bill.components
    .filter((each) => served.has(`${nameOf(each)}@${each.version}`))
    .map((each) => ({ ...each, scope: 'required' }));
  const refs = new Set([bill.metadata.component['bom-ref'], ...components.map((each) => each['bom-ref'])]);
  const dependencies = bill.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) }));

  const listed = new Set(components.map(nameOf));
  const expected = [...Object.keys(readJson('package.json').dependencies), ...bundled.map(({ name }) => name)];
  const missing = expected.filter((name) => !listed.has(name));
  if (missing.length > 0) throw new Failure(`The bill of materials lacks: ${missing.join(', ')}`);
  writeFileSync(path.join(root, FILE), `${JSON.stringify({ ...bill, components, dependencies }, null, 2)}\n`);
  console.log(`${FILE}: ${components.length} packages.`);
});
