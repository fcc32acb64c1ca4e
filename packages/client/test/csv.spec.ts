import { CSV_CASES, ENCODED_TESTERS, FORMULA_CASES, HARMLESS_TEXTS } from '../../../test/fixtures/csv/csv-cases';
import { CsvError, decodeText, parseCsv, toCsv } from '../src';

describe('parseCsv', () => {
  it.each(CSV_CASES.filter(({ rows }) => rows !== null))('reads a file with $of', ({ text, rows, lines }) => {
    const found = parseCsv(text);
    expect(found.map(({ cells }) => cells)).toEqual(rows);
    expect(found.map(({ line }) => line)).toEqual(lines);
  });

  it.each(CSV_CASES.filter(({ rows }) => rows === null))('rejects a file with $of', ({ text, lines: [line] }) => {
    expect(() => parseCsv(text)).toThrow(new CsvError(line!));
  });

  it('reads an empty file', () => {
    expect(parseCsv('')).toEqual([]);
    expect(parseCsv('\ufeffsep=;')).toEqual([]);
  });

  it.each(ENCODED_TESTERS)('reads %s', (_encoding, bytes) => {
    expect(parseCsv(decodeText(bytes)).at(-1)!.cells).toEqual(['a@x.de', 'Jörg']);
  });
});

describe('decodeText', () => {
  it('takes other bytes for the code page of western Windows', () => {
    expect(decodeText(new Uint8Array([0xe9]).buffer)).toBe('é');
  });
});

describe('toCsv', () => {
  it('writes texts, numbers and empty cells', () => {
    expect(
      toCsv([
        ['name', 'sum'],
        ['a "b", c', 5],
        [null, -5],
      ]),
    ).toBe('name,sum\r\n"a ""b"", c",5\r\n,-5\r\n');
  });

  // red when: only the first character is looked at
  it.each(FORMULA_CASES)('escapes the formulas of %j, and parseCsv restores them', (text, escaped) => {
    const line = toCsv([['x', text]]);
    expect(line.replaceAll('"', '')).toBe(`x,${escaped}\r\n`);
    expect(parseCsv(line)[0]!.cells).toEqual(['x', text]);
  });

  it.each(HARMLESS_TEXTS)('does not change %j', (text) => {
    expect(toCsv([['x', text]]).replaceAll('"', '')).toBe(`x,${text}\r\n`);
  });

  it('writes cells that parseCsv reads', () => {
    const cells = ['a "quoted" one', 'two\nlines', 'x;y,z', '', '- one\n- two'];
    expect(parseCsv(toCsv([cells]))[0]!.cells).toEqual(cells);
  });
});
