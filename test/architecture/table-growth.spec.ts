import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '../..');

const sources: readonly string[] = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
  .map((file) => readFileSync(path.join(root, 'src', file), 'utf8'));
const found = (pattern: RegExp): string[] =>
  sources.flatMap((text) => [...text.matchAll(pattern)].map(([, name = '']) => name)).sort();

const document = readFileSync(path.join(root, 'docs/scaling.md'), 'utf8');
const [, section = ''] = /### What grows, and what deletes it\n([^]*?)\n### /.exec(document) ?? [];
/** The cells of each row: tables, growth, deletion. */
const rows = section
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split('|').slice(1, -1));
const codes = (cell = ''): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);

describe('the document about what deletes from each table', () => {
  // red when: a table is added without saying what deletes its rows, or is listed twice
  it('lists every table once', () => {
    expect(rows.flatMap(([tables]) => codes(tables)).sort()).toEqual(found(/@Entity\('(\w+)'\)/g));
  });

  // red when: a schedule that deletes is renamed or removed
  it('names only schedules that exist', () => {
    const schedules = new Set(found(/\bschedule\(\s*'([\w.-]+)'/g));
    const named = rows.flatMap(([, , deletion]) => codes(deletion)).filter((code) => code.includes('.'));
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((name) => !schedules.has(name))).toEqual([]);
  });

  // red when: a row says nothing of growth, or nothing of deletion although the table grows
  it('says of each table with what it grows, and what deletes from it', () => {
    const isSilent = ([, growth = '', deletion = '']: string[]): boolean =>
      growth.trim() === '' || (deletion.trim() === '' && !growth.includes('a constant number'));
    expect(rows.filter(isSilent)).toEqual([]);
  });
});
