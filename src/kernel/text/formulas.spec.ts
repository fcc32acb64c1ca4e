import { escapeFormulas, unescapeFormulas } from './formulas';

describe('formulas in a text', () => {
  // red when: only the first character is looked at
  it.each([
    ['=1+1', "'=1+1"],
    ['\t=1', "'\t'=1"],
    [';=1+1;', ";'=1+1;"],
    ['a;-1;@b;\uff1dc', "a;'-1;'@b;'\uff1dc"],
    ['a\t+1', "a\t'+1"],
    ['a\r\n=1', "a\r\n'=1"],
    ['a\n-1', "a\n'-1"],
  ])('are escaped in %j, and restored', (text, escaped) => {
    expect(escapeFormulas(text)).toBe(escaped);
    expect(unescapeFormulas(escaped)).toBe(text);
  });

  it.each(['', 'Ann', "O'Neil", 'a=b', '1-2', 'a,=b', "it's; fine"])('are not found in %j', (text) => {
    expect(escapeFormulas(text)).toBe(text);
    expect(unescapeFormulas(text)).toBe(text);
  });
});
