import { FORMULA_CASES, HARMLESS_TEXTS } from '../../../test/fixtures/csv/csv-cases';
import { escapeFormulas, unescapeFormulas } from './formulas';

describe('formulas in a text', () => {
  // red when: only the first character is looked at
  it.each(FORMULA_CASES)('are escaped in %j, and restored', (text, escaped) => {
    expect(escapeFormulas(text)).toBe(escaped);
    expect(unescapeFormulas(escaped)).toBe(text);
  });

  it.each(HARMLESS_TEXTS)('are not found in %j', (text) => {
    expect(escapeFormulas(text)).toBe(text);
    expect(unescapeFormulas(text)).toBe(text);
  });
});
