import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { inRoot } from './project.mjs';

/** The tools that workspaces declare for their build. The built files contain none of their code. */
const TOOLS = ['vite'];
const LINE = `\n${'-'.repeat(80)}\n\n`;

const isBundled = (name) => !TOOLS.includes(name) && !name.startsWith('@types/') && !name.startsWith('@agate/');

/**
 * The packages that the bundle of a workspace can contain, from the lock file: the development dependencies of the workspace, and what they
 * depend on.
 * @param workspace its folder, such as `packages/cli`.
 * @returns their names, versions and folders below the root, by name.
 */
export function bundledLibraries(workspace) {
  const { packages } = JSON.parse(readFileSync(inRoot('package-lock.json'), 'utf8'));
  const found = new Set();
  const add = (from, names) => {
    for (const name of names) {
      const folder = folderOf(packages, from, name);
      if (found.has(folder)) continue;
      found.add(folder);
      add(folder, Object.keys(packages[folder].dependencies ?? {}));
    }
  };
  add(workspace, Object.keys(packages[workspace].devDependencies ?? {}).filter(isBundled));
  return [...found]
    .map((folder) => ({ name: folder.split('node_modules/').at(-1), version: packages[folder].version, folder }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** Where Node finds a package that a file in a folder imports: the nearest `node_modules` that contains it. */
function folderOf(packages, from, name) {
  for (let at = from; ; at = path.posix.dirname(at)) {
    const folder = path.posix.join(at, 'node_modules', name);
    if (packages[folder] && !packages[folder].link) return folder;
    if (at === '.') throw new Error(`package-lock.json lacks ${name}, which ${from} needs.`);
  }
}

/** The licence of each library, as the library ships it; its declaration, when it ships none. */
export function licensesOf(libraries) {
  const texts = libraries.map(({ name, version, folder }) => {
    const file = readdirSync(inRoot(folder)).find((each) => /^licen[cs]e/i.test(each));
    const text = file
      ? readFileSync(inRoot(folder, file), 'utf8').trim()
      : `License: ${JSON.parse(readFileSync(inRoot(folder, 'package.json'), 'utf8')).license}`;
    return `${name} ${version}\n\n${text}\n`;
  });
  return Buffer.from(texts.join(LINE));
}
