import { readdirSync } from 'node:fs';
import path from 'node:path';

/** The paths that patterns with `*`, `?` and `**` match, sorted. A path without these is returned as it is. */
export const filesOf = (patterns: readonly string[], cwd: string): string[] => [
  ...new Set(patterns.flatMap((pattern) => (/[*?]/.test(pattern) ? matches(pattern, cwd) : [pattern]))),
];

/** @throws TypeError when nothing matches: a step that uploads nothing must not succeed. */
function matches(pattern: string, cwd: string): string[] {
  const segments = path.normalize(pattern).split(path.sep);
  const isAbsolute = path.isAbsolute(pattern);
  const found = isAbsolute ? walk(path.sep, segments.slice(1)) : walk('', segments, cwd);
  if (found.length === 0) throw new TypeError(`No file matches ${pattern}. Correct the input file.`);
  return found.sort();
}

/** The paths below a folder that match the segments of a pattern. */
function walk(folder: string, [segment, ...rest]: readonly string[], cwd = '.'): string[] {
  if (segment === undefined) return [folder];
  if (segment === '**') {
    const below = entriesOf(folder, cwd).filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'));
    return [
      ...walk(folder, rest, cwd),
      ...below.flatMap(({ name }) => walk(path.join(folder, name), ['**', ...rest], cwd)),
    ];
  }
  if (!/[*?]/.test(segment)) return walk(path.join(folder, segment), rest, cwd).filter((each) => exists(each, cwd));
  const expression = new RegExp(
    `^${segment
      .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
    's',
  );
  return entriesOf(folder, cwd)
    .filter(({ name }) => expression.test(name) && (!name.startsWith('.') || segment.startsWith('.')))
    .filter((entry) => rest.length === 0 || entry.isDirectory())
    .flatMap(({ name }) => walk(path.join(folder, name), rest, cwd));
}

function entriesOf(folder: string, cwd: string): ReturnType<typeof readEntries> {
  try {
    return readEntries(path.resolve(cwd, folder));
  } catch {
    return [];
  }
}

const readEntries = (folder: string) => readdirSync(folder, { withFileTypes: true });

const exists = (file: string, cwd: string): boolean =>
  entriesOf(path.dirname(file), cwd).some(({ name }) => name === path.basename(file));
