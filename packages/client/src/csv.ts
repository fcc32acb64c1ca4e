export type CsvValue = string | number | null;

/** A row of a CSV file. */
export interface CsvRow {
  /** The line on which the row begins, counted from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** A CSV file cannot be read: a quotation mark is not closed, or text follows the closing one. */
export class CsvError extends Error {
  override readonly name = 'CsvError';

  /** @param line the line on which the row begins. */
  constructor(readonly line: number) {
    super(`Line ${line} has a quotation mark that is not closed, or text after a closing one.`);
  }
}

/** The first line of a file for Excel, which names the separator. */
const SEPARATOR_LINE = /^"?sep=([,;\t|])"?[^\S\r\n]*(?:\r\n|\r|\n|$)/i;
const LINE_BREAK = /\r\n|\r|\n/;

/**
 * Reads a CSV file (RFC 4180) as spreadsheets write it: the separator is the one of a line `sep=…`, else the comma, semicolon or tab of the
 * first line. Spaces around cells, empty rows, and the apostrophes before formulas are removed. Quotation marks inside a cell that does not
 * begin with one are text. The service reads files by the same rules.
 * @throws CsvError
 */
export function parseCsv(text: string): CsvRow[] {
  const content = text.replace(/^\ufeff/, '');
  const [head = '', separator = separatorOf(content)] = SEPARATOR_LINE.exec(content) ?? [];
  const read = cellReader(content, separator);
  const rows: CsvRow[] = [];
  let cells: string[] = [];
  let line = head === '' ? 1 : 2;
  let begin = line;
  let at = head.length;
  while (at <= content.length) {
    const cell = read(at);
    if (!cell) throw new CsvError(begin);
    cells.push(unescapeFormulas(cell.value));
    line += cell.breaks;
    at = cell.next;
    if (!cell.endsRow) continue;
    if (cells.some((one) => one !== '')) rows.push({ line: begin, cells });
    line += 1;
    begin = line;
    cells = [];
  }
  return rows;
}

/** A table as CSV (RFC 4180), with an apostrophe before each text that a spreadsheet would run as a formula. */
export const toCsv = (rows: readonly (readonly CsvValue[])[]): string =>
  rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('');

/** The text of a file. Spreadsheets also save UTF-16, with a byte order mark, and the code page of western Windows. */
export function decodeText(bytes: ArrayBuffer | Uint8Array): string {
  const [first, second] = bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes);
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/**
 * The beginning of a text that a spreadsheet would run. A spreadsheet whose separator is the semicolon or tab, as in German, also begins a
 * cell after each of them, and after each line break.
 */
const FORMULA = /(?<=^|[;\t\r\n])(?=[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])/g;
const ESCAPED = /(?<=^|[;\t\r\n])'(?=[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])/g;

const unescapeFormulas = (text: string): string => text.replace(ESCAPED, '');

function cellOf(value: CsvValue): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = value.replace(FORMULA, "'");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The comma, semicolon or tab that the first line contains outside of quotation marks. */
function separatorOf(text: string): string {
  const head = /\S[^\r\n]*/.exec(text)?.[0].replace(/"[^"]*"/g, '') ?? '';
  return [',', ';', '\t'].find((candidate) => head.includes(candidate)) ?? ',';
}

interface Cell {
  readonly value: string;
  /** The number of line breaks inside the cell. */
  readonly breaks: number;
  readonly endsRow: boolean;
  /** The start of the next cell. */
  readonly next: number;
}

/** Returns a function that reads the cell at a position. Null when its quotation marks are not closed, or are followed by other text. */
function cellReader(text: string, separator: string): (at: number) => Cell | null {
  const space = `[^\\S\\r\\n${separator}]*`;
  // Quoted or plain, and then a separator, a line break or the end of the text.
  const pattern = new RegExp(
    `(?:${space}"((?:[^"]|"")*)"${space}|([^${separator}\\r\\n]*))([${separator}]|\\r\\n|\\r|\\n|$)`,
    'y',
  );
  return (at) => {
    pattern.lastIndex = at;
    const [whole, quoted, plain = '', end = ''] = pattern.exec(text) ?? [];
    if (whole === undefined || plain.trimStart().startsWith('"')) return null;
    return {
      value: (quoted?.replaceAll('""', '"') ?? plain).trim(),
      breaks: (quoted?.split(LINE_BREAK).length ?? 1) - 1,
      endsRow: end !== separator,
      // There is nothing after the end of the text.
      next: end === '' ? text.length + 1 : at + whole.length,
    };
  };
}
