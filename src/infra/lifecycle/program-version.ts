import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * The version of the service: the one that the build wrote into a folder above the built files, with the commit between releases; of sources
 * that were not built, the one of their `package.json`.
 */
export function programVersion(): string {
  for (let folder = __dirname; folder !== dirname(folder); folder = dirname(folder)) {
    const built = join(folder, 'VERSION');
    if (existsSync(built)) return readFileSync(built, 'utf8');
    const file = join(folder, 'package.json');
    if (!existsSync(file)) continue;
    const { name, version } = JSON.parse(readFileSync(file, 'utf8')) as { name?: string; version?: string };
    if (name === 'agate' && version !== undefined) return version;
  }
  return 'unknown';
}
