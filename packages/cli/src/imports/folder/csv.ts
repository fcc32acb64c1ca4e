/** One record of a CSV file: its cells by the names of the columns, in lower case. */
export interface CsvRecord {
  /** The line on which the record begins, counted from 1. */
  readonly line: number;
  readonly cells: Readonly<Record<string, string>>;
}

/** A CSV file cannot be read. */
export class CsvError extends Error {
  override readonly name = 'CsvError';

  constructor(
    readonly line: number,
    problem: string,
  ) {
    super(`Line ${line} ${problem}`);
  }
}

interface RawRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

/**
 * Reads a CSV file (RFC 4180). The first line names the columns; the separator is the comma, semicolon or tab that it contains.
 * Empty lines are skipped, and missing cells are empty.
 * @throws CsvError when a quote is not closed.
 */
export function parseCsv(text: string): CsvRecord[] {
  const content = text.replace(/^\ufeff/, '');
  const head = /^[^\r\n]*/.exec(content)?.[0] ?? '';
  const delimiter = [',', ';', '\t'].find((candidate) => head.includes(candidate)) ?? ',';
  const [header, ...records] = rawRecords(content, delimiter);
  const columns = (header?.cells ?? []).map((name) => name.trim().toLowerCase());
  return records.map(({ line, cells }) => ({
    line,
    cells: Object.fromEntries(columns.map((name, index) => [name, unescapeFormulas(cells[index]?.trim() ?? '')])),
  }));
}

/** The line of a CSV file with these cells. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(quoted).join(',')}\r\n`;

const quoted = (cell: string): string => {
  const safe = escapeFormulas(cell);
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/**
 * Puts an apostrophe before each beginning that a spreadsheet would run as a formula. A spreadsheet whose separator is the semicolon or tab
 * also begins a cell after each of them, and after each line break.
 */
const escapeFormulas = (cell: string): string =>
  cell.replace(/([;\t\r\n])(?=[=+\-@\t\r])/g, "$1'").replace(/^(?=[=+\-@\t\r])/, "'");

/** Removes the apostrophes that `csvLine` and exports of the service put into a cell. */
const unescapeFormulas = (cell: string): string =>
  cell.replace(/(^|[;\t\r\n])'(?=[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])/g, '$1');

/** A cell with what ends it: a separator, the end of a line, or the end of the text. */
const cellPattern = (delimiter: string): RegExp =>
  new RegExp(`("(?:[^"]|"")*"|[^"${delimiter}\\r\\n][^${delimiter}\\r\\n]*|)(${delimiter}|\\r\\n|\\r|\\n|$)`, 'y');

function rawRecords(text: string, delimiter: string): RawRecord[] {
  const pattern = cellPattern(delimiter);
  const records: RawRecord[] = [];
  let cells: string[] = [];
  let line = 1;
  let start = 1;
  while (pattern.lastIndex < text.length || cells.length > 0) {
    const match = pattern.exec(text);
    if (!match) throw new CsvError(start, 'has a quote that is not closed.');
    const [, cell = '', end] = match;
    cells.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell);
    line += cell.split(/\r\n|\r|\n/).length - 1;
    if (end === delimiter) continue;
    line += 1;
    if (cells.some((each) => each.trim() !== '')) records.push({ line: start, cells });
    cells = [];
    start = line;
    if (end === '') break;
  }
  return records;
}
