import { CSV_CASES } from '../../../../test/fixtures/csv/csv-cases';
import { csvRows } from './csv-rows';
import { parseTestersCsv } from './testers-csv';

describe('parseTestersCsv', () => {
  it.each(CSV_CASES.filter(({ testers }) => testers !== null))('reads a file with $of', ({ text, testers }) => {
    expect(parseTestersCsv(text).map(({ email, name }) => [email, name])).toEqual(testers);
  });

  it.each(CSV_CASES.filter(({ testers }) => testers === null))('rejects a file with $of', ({ text }) => {
    expect(() => parseTestersCsv(text)).toThrow(expect.objectContaining({ errorCase: 'validation_error' }) as Error);
  });
});

describe('csvRows', () => {
  it.each(CSV_CASES.filter(({ rows }) => rows !== null))(
    'numbers the rows of a file with $of',
    ({ text, rows, lines }) => {
      expect(csvRows(text)).toEqual(rows!.map((cells, index) => ({ line: lines[index], cells })));
    },
  );
});
