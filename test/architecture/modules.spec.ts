import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { modules, ranks } from '../../architecture.cjs';

const root = path.resolve(__dirname, '../..');
const folder = path.join(root, 'src/modules');

/** The modules that the sources of a module import. */
function usedBy(name: string): string[] {
  const sources = readdirSync(path.join(folder, name), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
    .map((file) => readFileSync(path.join(folder, name, file), 'utf8'));
  const imported = sources.flatMap((source) =>
    [...source.matchAll(/from '#modules\/([^']+)'/g)].map(([, used]) => used!),
  );
  return [...new Set(imported)].sort();
}

/** The modules in a line of a module's README, without the explanations in parentheses. */
function namedIn(name: string, title: string): string[] {
  const readme = readFileSync(path.join(folder, name, 'README.md'), 'utf8');
  const [, line = ''] = new RegExp(`\\*\\*${title}\\*\\*: ([^]*?)(?:\\n-|\\n*$)`).exec(readme) ?? [];
  const words: readonly string[] = line.replace(/\([^)]*\)/g, '').match(/[a-z]+(?:-[a-z]+)*/g) ?? [];
  return Object.keys(modules)
    .filter((module) => words.includes(module))
    .sort();
}

describe('architecture.cjs', () => {
  // red when: a folder is added without a row, or a row remains without its folder
  it('has a row for each module', () => expect(Object.keys(modules).sort()).toEqual(readdirSync(folder).sort()));

  // red when: a module imports a module that its row lacks, or no longer imports one that its row lists
  it.each(Object.keys(modules))('lists exactly the modules that %s uses', (name) => {
    expect(usedBy(name)).toEqual([...(modules[name] ?? [])].sort());
  });

  // red when: a module starts to use another without updating both READMEs
  it.each(Object.keys(modules))('agrees with the README of %s', (name) => {
    const users = Object.keys(modules).filter((other) => modules[other]?.includes(name));
    expect(namedIn(name, 'Uses')).toEqual([...(modules[name] ?? [])].sort());
    expect(namedIn(name, 'Used by')).toEqual(users.sort());
  });

  // red when: a module is added without listing it in the application module or in the documentation
  it.each([
    ['src/app/app.module.ts', /from '#modules\/([^']+)'/g],
    ['docs/architecture.md', /\(\.\.\/src\/modules\/([^)]+)\)/g],
  ])('lists the same modules as %s', (file, name) => {
    const named = [...readFileSync(path.join(root, file), 'utf8').matchAll(name)].map(([, module]) => module);
    expect([...new Set(named)].sort()).toEqual(Object.keys(modules).sort());
  });

  it('has no cycle', () => expect(ranks().size).toBe(Object.keys(modules).length));
});
