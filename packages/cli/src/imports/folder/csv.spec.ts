import { csvLine, parseCsv } from './csv';

const cellsOf = (text: string): unknown[] => parseCsv(text).map(({ cells }) => cells);

describe('A CSV file', () => {
  it.each([
    ['commas', 'file,Notes\na.apk,"one, two"\n'],
    ['semicolons and a byte order mark', '\ufeffFILE;notes\r\na.apk;one, two\r\n'],
    ['tabs and no line break at the end', 'file\tnotes\na.apk\tone, two'],
  ])('is read with %s', (_kind, text) => {
    expect(cellsOf(text)).toEqual([{ file: 'a.apk', notes: 'one, two' }]);
  });

  it('may have line breaks and quotes in a quoted cell, and names the line of each record', () => {
    expect(parseCsv('file,notes\r\na.apk,"first ""line""\r\nsecond"\r\n\r\nb.apk,\r\n')).toEqual([
      { line: 2, cells: { file: 'a.apk', notes: 'first "line"\r\nsecond' } },
      { line: 5, cells: { file: 'b.apk', notes: '' } },
    ]);
  });

  it('may have too few or too many cells in a line', () => {
    expect(cellsOf('file,notes\na.apk\nb.apk,x,y')).toEqual([
      { file: 'a.apk', notes: '' },
      { file: 'b.apk', notes: 'x' },
    ]);
  });

  it('may be empty', () => {
    expect(parseCsv('')).toEqual([]);
    expect(parseCsv('file,notes\n')).toEqual([]);
  });

  it('is rejected when a quote is not closed, by the line on which the record begins', () => {
    expect(() => parseCsv('file,notes\na.apk,"one\nb.apk,two\n')).toThrow('Line 2 has a quote that is not closed.');
  });

  // red when: only the first character is looked at
  it('has an apostrophe before each beginning that a spreadsheet with another separator would run', () => {
    expect(csvLine(['=1', ';=1+1;', 'a\n-1', 'x;y'])).toBe(`'=1,;'=1+1;,"a\n'-1",x;y\r\n`);
  });

  it('keeps every cell that is written', () => {
    const cells = [
      'a "quoted" one',
      'two\nlines',
      'x;y,z',
      '',
      '=SUM(A1)',
      '-5',
      ';=1+1;',
      '- one\n- two',
      '\t=1',
      ' spaces'.trim(),
    ];
    const names = cells.map((_cell, index) => `c${index}`);
    const [record] = parseCsv(csvLine(names) + csvLine(cells));
    expect(Object.values(record!.cells)).toEqual(cells);
  });
});
