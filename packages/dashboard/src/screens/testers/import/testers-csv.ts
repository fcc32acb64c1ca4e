import { CsvError, type CsvRow, parseCsv } from '@agate/client';
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

/** The headers of addresses, the preferred one first: of exports of the service, of Excel and of Outlook. */
const EMAIL_HEADERS = ['email', 'e mail', 'email address', 'e mail address', 'email adresse', 'e mail adresse'];
/** The headers of names. The cells of a group are joined. */
const NAME_HEADERS = [['name'], ['full name'], ['display name'], ['first name', 'last name'], ['vorname', 'nachname']];

/** Reads a list of testers. The first line names the columns, unless it contains an address. */
export function parseTestersCsv(text: string): TestersCsv {
  const refused = (problem: CsvProblem, line: number | null = null): TestersCsv => ({
    testers: [],
    problem: { line, problem },
  });
  const rows = rowsOf(text);
  if (rows instanceof CsvError) return refused('quote', rows.line);
  const [first] = rows;
  if (!first) return refused('empty');
  const columns = columnsOf(first);
  if (!columns) return refused('columns', first.line);
  const testers = testersOf(columns.hasHeader ? rows.slice(1) : rows, columns);
  if (testers.length === 0) return refused('empty');
  if (testers.length > MAX_LINES) return refused('tooLong');
  return new Blob([toCsv(testers)]).size > MAX_BYTES ? refused('tooLarge') : { testers, problem: null };
}

function rowsOf(text: string): CsvRow[] | CsvError {
  try {
    return parseCsv(text);
  } catch (error) {
    if (error instanceof CsvError) return error;
    throw error;
  }
}

/** The file that is sent: a line for each tester, in their order, after the line of the columns. */
export const toCsv = (testers: readonly Pick<CsvTester, 'email' | 'name'>[]): string =>
  ['email,name', ...testers.map(({ email, name }) => `${quoted(email)},${quoted(name)}`)].join('\n');

const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;

interface Columns {
  readonly hasHeader: boolean;
  readonly email: number;
  /** Empty when there are no names. */
  readonly name: readonly number[];
}

/** Null when the first line neither names the columns nor is a tester. */
function columnsOf({ cells }: CsvRow): Columns | null {
  const names = cells.map((cell) => cell.toLowerCase().replaceAll(/[\s_-]+/g, ' '));
  const header = EMAIL_HEADERS.find((one) => names.includes(one));
  if (header === undefined) return columnsWithoutHeader(cells);
  const email = names.indexOf(header);
  if (names.lastIndexOf(header) !== email) return null;
  const group = NAME_HEADERS.find((headers) => headers.some((one) => names.includes(one))) ?? [];
  return { hasHeader: true, email, name: group.map((one) => names.indexOf(one)) };
}

function columnsWithoutHeader(cells: readonly string[]): Columns | null {
  const email = cells.findIndex(looksLikeAddress);
  const name = cells.findIndex((cell, index) => index !== email && cell !== '');
  return email < 0 ? null : { hasHeader: false, email, name: [name] };
}

function testersOf(rows: readonly CsvRow[], columns: Columns): CsvTester[] {
  const seen = new Map<string, number>();
  return rows.map(({ line, cells }) => {
    const textOf = (places: readonly number[]): string =>
      places
        .map((place) => cells[place] ?? '')
        .join(' ')
        .replaceAll(/\s+/g, ' ')
        .trim();
    const [email, name] = [textOf([columns.email]), textOf(columns.name)];
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
