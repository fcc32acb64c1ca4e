import { looksLikeAddress } from './addresses';

/** The problem of a line. `file`: of the whole file. */
export type CsvProblem = 'email' | 'noEmail' | 'name' | 'columns' | 'empty' | 'tooLong' | 'tooLarge' | 'quote';

export interface CsvTester {
  /** The line of the file, from 1. */
  readonly line: number;
  readonly email: string;
  readonly name: string;
  readonly problem: CsvProblem | null;
  /** The first line with the same address. Null when this line is the first. */
  readonly sameAs: number | null;
}

export interface TestersCsv {
  readonly testers: readonly CsvTester[];
  /** A problem outside of the testers' lines, with its line. Null when there is none. */
  readonly problem: { readonly line: number | null; readonly problem: CsvProblem } | null;
}

const MAX_LINES = 10_000;
const MAX_BYTES = 1024 * 1024;
const MAX_NAME = 100;
const EXPORT_QUOTE = /(^|[;\t\r\n])'(?=[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])/g;

interface Row {
  readonly line: number;
  readonly cells: readonly string[];
}

/**
 * Reads a list of testers. The first line names the columns, unless it contains an address. The separator is the comma, semicolon or tab of
 * the first line.
 */
export function parseTestersCsv(text: string): TestersCsv {
  const refused = (problem: CsvProblem, line: number | null = null): TestersCsv => ({
    testers: [],
    problem: { line, problem },
  });
  const { rows, openQuote } = rowsOf(text.replace(/^\ufeff/, ''));
  if (openQuote !== null) return refused('quote', openQuote);
  const [first] = rows;
  if (!first) return refused('empty');
  const columns = columnsOf(first);
  if (!columns) return refused('columns', first.line);
  const testers = testersOf(columns.hasHeader ? rows.slice(1) : rows, columns);
  if (testers.length === 0) return refused('empty');
  if (testers.length > MAX_LINES) return refused('tooLong');
  return new Blob([toCsv(testers)]).size > MAX_BYTES ? refused('tooLarge') : { testers, problem: null };
}

/** The file that is sent: a line for each tester, in their order, after the line of the columns. */
export const toCsv = (testers: readonly Pick<CsvTester, 'email' | 'name'>[]): string =>
  ['email,name', ...testers.map(({ email, name }) => `${quoted(email)},${quoted(name)}`)].join('\n');

/** The text of a file. Spreadsheets also save UTF-16, and the code page of western Windows. */
export function decodeCsv(bytes: ArrayBuffer): string {
  const [first, second] = new Uint8Array(bytes);
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;

interface Columns {
  readonly hasHeader: boolean;
  readonly email: number;
  /** -1 when there are no names. */
  readonly name: number;
}

/** Null when the first line neither names the columns nor is a tester. */
function columnsOf({ cells }: Row): Columns | null {
  const names = cells.map((cell) => cell.toLowerCase());
  const email = names.indexOf('email');
  if (email >= 0 && names.lastIndexOf('email') === email)
    return { hasHeader: true, email, name: names.indexOf('name') };
  const address = cells.findIndex(looksLikeAddress);
  if (email >= 0 || address < 0) return null;
  return { hasHeader: false, email: address, name: cells.findIndex((cell, index) => index !== address && cell !== '') };
}

function testersOf(rows: readonly Row[], columns: Columns): CsvTester[] {
  const seen = new Map<string, number>();
  return rows.map(({ line, cells }) => {
    const [email, name] = [columns.email, columns.name].map((column) =>
      (cells[column] ?? '').replace(EXPORT_QUOTE, '$1').replaceAll(/\s+/g, ' '),
    ) as [string, string];
    const key = email.toLowerCase();
    const sameAs = seen.get(key) ?? null;
    if (sameAs === null && email !== '') seen.set(key, line);
    return { line, email, name, problem: problemOf(email, name), sameAs };
  });
}

function problemOf(email: string, name: string): CsvProblem | null {
  if (email === '') return 'noEmail';
  if (!looksLikeAddress(email)) return 'email';
  return [...name].length > MAX_NAME ? 'name' : null;
}

/** The non-empty rows of a CSV text (RFC 4180), each with the number of its first line. */
function rowsOf(text: string): { readonly rows: Row[]; readonly openQuote: number | null } {
  const read = cellReader(text);
  const rows: Row[] = [];
  let cells: string[] = [];
  let line = 1;
  let begin = 1;
  let at = 0;
  while (at <= text.length) {
    const cell = read(at);
    if (!cell) return { rows, openQuote: line };
    cells.push(cell.value);
    line += cell.breaks;
    at = cell.next;
    if (!cell.endsRow) continue;
    if (cells.some((one) => one !== '')) rows.push({ line: begin, cells });
    line += 1;
    begin = line;
    cells = [];
  }
  return { rows, openQuote: null };
}

interface Cell {
  readonly value: string;
  /** The line breaks inside the cell. */
  readonly breaks: number;
  readonly endsRow: boolean;
  /** The start of the next cell. */
  readonly next: number;
}

/** Returns a function that reads the cell at a position. Null when its quotation marks are not closed, or are followed by other text. */
function cellReader(text: string): (at: number) => Cell | null {
  const head = /^[^\r\n]*/.exec(text.trimStart())?.[0] ?? '';
  const delimiter = [',', ';', '\t'].find((candidate) => head.includes(candidate)) ?? ',';
  // Quoted or plain, and then a separator, a line break or the end of the text.
  const pattern = new RegExp(
    `(?:[^\\S\\r\\n${delimiter}]*"((?:[^"]|"")*)"[^\\S\\r\\n${delimiter}]*|([^${delimiter}\\r\\n]*))(${delimiter}|\\r\\n|\\r|\\n|$)`,
    'y',
  );
  return (at) => {
    pattern.lastIndex = at;
    const [whole, inQuotes, plain = '', end = ''] = pattern.exec(text) ?? [];
    if (whole === undefined || plain.trimStart().startsWith('"')) return null;
    return {
      value: (inQuotes?.replaceAll('""', '"') ?? plain).trim(),
      breaks: (inQuotes?.split(/\r\n|\r|\n/).length ?? 1) - 1,
      endsRow: end !== delimiter,
      // There is nothing after the end of the text.
      next: end === '' ? text.length + 1 : at + whole.length,
    };
  };
}
