import { toCsv } from './csv';

describe('a table as CSV', () => {
  it('quotes commas, quotes and line breaks, and leaves numbers as they are', () => {
    expect(
      toCsv([
        ['kind', 'amount', 'note'],
        ['top_up', -5.25, 'a "b", c\nd'],
        ['grant', 0, null],
      ]),
    ).toBe('kind,amount,note\r\ntop_up,-5.25,"a ""b"", c\nd"\r\ngrant,0,\r\n');
  });

  it('escapes texts that a spreadsheet would run', () => {
    expect(toCsv([['=1+1', '@SUM(A1)', '-5', '+49']])).toBe("'=1+1,'@SUM(A1),'-5,'+49\r\n");
  });

  // red when: only the first character is looked at
  it('escapes texts that a spreadsheet with another separator would run', () => {
    expect(toCsv([[';=1+1;', 'a\t+1', 'a\n@b', 'x;y']])).toBe(`;'=1+1;,a\t'+1,"a\n'@b",x;y\r\n`);
  });
});
