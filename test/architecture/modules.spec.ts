import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { modules, ranks } from '../../architecture.cjs';

const root = path.resolve(__dirname, '../..');
const folder = path.join(root, 'src/modules');

/** The other modules that a module's sources import. */
function usedBy(name: string): string[] {
  const sources = readdirSync(path.join(folder, name), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
    .map((file) => readFileSync(path.join(folder, name, file), 'utf8'));
  const imported = sources.flatMap((source) =>
    [...source.matchAll(/from '#modules\/([^']+)'/g)].map(([, used]) => used!),
  );
  return [...new Set(imported)].sort();
}

/** The modules that a line of a module's README names; what stands in brackets says what for. */
function namedIn(name: string, title: string): string[] {
  const readme = readFileSync(path.join(folder, name, 'README.md'), 'utf8');
  const [, line = ''] = new RegExp(`\\*\\*${title}\\*\\*: ([^]*?)(?:\\n-|\\n*$)`).exec(readme) ?? [];
  const words: readonly string[] = line.replace(/\([^)]*\)/g, '').match(/[a-z]+(?:-[a-z]+)*/g) ?? [];
  return Object.keys(modules)
    .filter((module) => words.includes(module))
    .sort();
}

describe('architecture.cjs', () => {
  // red when: a folder is made without a row, or a row outlives its folder
  it('has a row for each module', () => expect(Object.keys(modules).sort()).toEqual(readdirSync(folder).sort()));

  // red when: a module imports one that it is not given, or no longer imports one that it is
  it.each(Object.keys(modules))('gives %s exactly what it uses', (name) => {
    expect(usedBy(name)).toEqual([...(modules[name] ?? [])].sort());
  });

  // red when: a module begins to use another, and the README of one of the two is left as it was
  it.each(Object.keys(modules))('agrees with the README of %s', (name) => {
    const users = Object.keys(modules).filter((other) => modules[other]?.includes(name));
    expect(namedIn(name, 'Uses')).toEqual([...(modules[name] ?? [])].sort());
    expect(namedIn(name, 'Used by')).toEqual(users.sort());
  });

  // red when: a module comes and the application's table of contents, or that of the documentation, does not name it
  it.each([
    ['src/app/app.module.ts', /from '#modules\/([^']+)'/g],
    ['docs/architecture.md', /\(\.\.\/src\/modules\/([^)]+)\)/g],
  ])('has the modules that %s names', (file, name) => {
    const named = [...readFileSync(path.join(root, file), 'utf8').matchAll(name)].map(([, module]) => module);
    expect([...new Set(named)].sort()).toEqual(Object.keys(modules).sort());
  });

  it('has no circle', () => expect(ranks().size).toBe(Object.keys(modules).length));
});
