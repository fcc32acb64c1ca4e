import { CSV_CASES } from '../../../../../test/fixtures/csv/csv-cases';
import { csvRecords } from './csv-records';

describe('csvRecords', () => {
  it.each(CSV_CASES.filter(({ rows }) => rows !== null))('reads a file with $of', ({ text, rows, lines }) => {
    const [, ...below] = rows!;
    const found = csvRecords(text);
    expect(found.map(({ line }) => line)).toEqual(lines.slice(1));
    expect(found.map(({ cells }) => Object.values(cells)[0])).toEqual(below.map(([first]) => first));
  });

  it('names the cells by the header, in lower case', () => {
    expect(csvRecords('FILE;Notes\r\na.apk;one, two\r\nb.apk\r\n')).toEqual([
      { line: 2, cells: { file: 'a.apk', notes: 'one, two' } },
      { line: 3, cells: { file: 'b.apk', notes: '' } },
    ]);
  });

  it('may be empty', () => {
    expect(csvRecords('')).toEqual([]);
    expect(csvRecords('file,notes\n')).toEqual([]);
  });
});
