import { readdirSync } from 'node:fs';
import path from 'node:path';

const areasOf = (language: string): readonly string[] =>
  readdirSync(path.join(__dirname, language)).filter((file) => file !== 'index.ts');

describe('the texts of the dashboard', () => {
  // The compiler checks the keys of each area, but not that the file of an area exists.
  it('exist for the same areas in every language', () => {
    expect(areasOf('de')).toEqual(areasOf('en'));
  });
});
