import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { messagesFor } from '#infra/pages/messages/messages';

/** Every warning that a build can have: those that the install page explains, and the one that it says in its own words. */
const CODES = [...Object.keys(messagesFor('en').install.warnings), 'devices_missing'];

/** The keys of a table of warnings in the words of the dashboard. */
function codesIn(language: 'de' | 'en', table: 'texts' | 'names'): readonly string[] {
  const file = join(__dirname, '../../packages/dashboard/src/words', language, 'build.ts');
  const [, lines = ''] = new RegExp(`^ {4}${table}: \\{\\n([^]*?)^ {4}\\}`, 'm').exec(readFileSync(file, 'utf8')) ?? [];
  return [...lines.matchAll(/^ {6}(\w+):/gm)].map(([, code]) => code!);
}

// red when: the dashboard shows the English message of a warning, or its code
describe('the words of the dashboard', () => {
  it.each([
    ['de', 'texts'],
    ['de', 'names'],
    ['en', 'names'],
  ] as const)('have in %s the %s of every warning', (language, table) => {
    expect(codesIn(language, table)).toEqual(expect.arrayContaining(CODES));
  });
});
