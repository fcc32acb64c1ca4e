import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '../..');
const room = path.join(root, 'src/infra/fast-paths');
const sources = readdirSync(room, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
/** The files of tests, by name. */
const tests = new Set(
  ['src', 'test'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.spec.ts'))
      .map((file) => path.basename(file)),
  ),
);

describe('the README of fast-paths', () => {
  const readme = readFileSync(path.join(room, 'README.md'), 'utf8');

  // red when: a piece is added without a row, or a row remains without its piece
  it('has a row for each piece', () => {
    const named = [...readme.matchAll(/^\| \[`[^`]+`\]\(([^)]+)\)/gm)].map(([, file]) => file);
    expect(named.sort()).toEqual(sources.filter((file) => !file.endsWith('.spec.ts')).sort());
  });

  // red when: a test that the README names is renamed or deleted
  it('names tests that exist', () => {
    const named = [...readme.matchAll(/`([a-z-]+\.spec\.ts)`/g)].map(([, file]) => file!);
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter((file) => !tests.has(file))).toEqual([]);
  });
});
