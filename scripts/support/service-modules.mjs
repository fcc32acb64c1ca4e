import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { inRoot } from './project.mjs';
import { forNode } from './swc-options.cjs';

const isModule = (name) => name.endsWith('.ts') && !name.endsWith('.spec.ts');
const isAsset = (name) => !/\.(ts|md)$/.test(name);

/**
 * Compiles each source file of the service separately, and copies the files beside them: templates, styles, scripts and examples. Types are
 * checked by `npm run typecheck` (docs/decisions/0056-the-build-compiles-with-swc.md).
 */
export async function compileService() {
  const { transformFile } = await import('@swc/core');
  rmSync(inRoot('dist'), { recursive: true, force: true });
  const compile = async (name) => {
    const { code, map } = await transformFile(inRoot(name), forNode);
    const output = inRoot('dist', name.replace(/\.ts$/, '.js'));
    await writeFile(output, `${code}//# sourceMappingURL=${path.basename(output)}.map\n`);
    await writeFile(`${output}.map`, map);
  };
  const files = ['src', 'migrations'].flatMap((folder) =>
    readdirSync(inRoot(folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(inRoot(), path.join(entry.parentPath ?? entry.path, entry.name))),
  );
  for (const folder of new Set(files.map((name) => path.dirname(name)))) {
    mkdirSync(inRoot('dist', folder), { recursive: true });
  }
  for (const name of files.filter(isAsset)) cpSync(inRoot(name), inRoot('dist', name));
  await Promise.all(files.filter(isModule).map(compile));
}
