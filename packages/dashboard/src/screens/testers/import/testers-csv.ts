import { CsvError, type CsvRow, parseCsv } from '@agate/client';
import { parseAddresses, type PastedPeople, personIn } from './addresses';

/** The problem of a line. `file`: of the whole file. */
export type CsvProblem =
  'email' | 'noEmail' | 'name' | 'columns' | 'noAddress' | 'empty' | 'tooLong' | 'tooLarge' | 'quote' | 'spreadsheet';

export interface CsvTester {
  /** The line of the file, from 1. */
  readonly line: number;
  readonly email: string;
  readonly name: string;
  readonly problem: CsvProblem | null;
  /** The first line with the same address. Null when this line is the first. */
  readonly sameAs: number | null;
}

/** A column of which nothing tells whether it has the addresses. */
export interface ColumnChoice {
  /** The place of the column, from 0. */
  readonly place: number;
  /** The cell of the first line. */
  readonly title: string;
}

export interface TestersCsv {
  readonly testers: readonly CsvTester[];
  /** A problem outside of the testers' lines, with its line. Null when there is none. */
  readonly problem: { readonly line: number | null; readonly problem: CsvProblem } | null;
  /** The columns of which the reader must choose one. Empty when the addresses were found. */
  readonly choices: readonly ColumnChoice[];
  /** The first line, if it was not read as a tester although its titles are unknown. Null otherwise. */
  readonly unknownTitles: string | null;
}

const MAX_LINES = 10_000;
const MAX_BYTES = 4 * 1024 * 1024;
const MAX_NAME = 100;
/** The number of lines from which columns are recognized. */
const SAMPLE = 500;

/** The beginnings of spreadsheets in the formats of programs: .xlsx, .ods and .numbers, and .xls. */
const SPREADSHEETS = ['PK\u0003\u0004', '\u00d0\u00cf\u0011\u00e0'];

/** The headers of addresses, the preferred one first: of exports of the service, of Excel and of Outlook. */
const EMAIL_HEADERS = ['email', 'e mail', 'email address', 'e mail address', 'email adresse', 'e mail adresse'];
/** The headers of names. The cells of a group are joined. */
const NAME_HEADERS = [['name'], ['full name'], ['display name'], ['first name', 'last name'], ['vorname', 'nachname']];

/**
 * Reads a list of testers. The column of the addresses is the one that the first line calls so, else the one that contains them.
 * @param chosen the place of the column that the reader chose.
 */
export function parseTestersCsv(text: string, chosen: number | null = null): TestersCsv {
  if (SPREADSHEETS.some((beginning) => text.startsWith(beginning))) return refused('spreadsheet');
  const rows = rowsOf(text);
  if (rows instanceof CsvError) return refused('quote', rows.line);
  const [first] = rows;
  if (!first) return refused('empty');
  if (rows.length > MAX_LINES + 1) return refused('tooLong');
  const choices = chosen === null ? emailColumns(rows) : [chosen];
  const [email] = choices;
  if (email === undefined) return refused('noAddress', first.line);
  if (choices.length > 1) {
    const titleOf = (place: number): ColumnChoice => ({ place, title: first.cells[place] ?? '' });
    return { ...refused('columns', first.line), choices: choices.map(titleOf) };
  }
  return read(rows, first, email);
}

const refused = (problem: CsvProblem, line: number | null = null): TestersCsv => ({
  testers: [],
  problem: { line, problem },
  choices: [],
  unknownTitles: null,
});

function read(rows: readonly CsvRow[], first: CsvRow, email: number): TestersCsv {
  const isTitled = !(first.cells[email] ?? '').includes('@');
  const name = isTitled ? namesIn(first) : [first.cells.findIndex((cell, place) => place !== email && cell !== '')];
  const testers = testersOf(isTitled ? rows.slice(1) : rows, email, name);
  if (testers.length === 0) return refused('empty');
  if (testers.length > MAX_LINES) return refused('tooLong');
  if (new Blob([toCsv(testers)]).size > MAX_BYTES) return refused('tooLarge');
  const unknownTitles = isTitled && !hasTitle(first) ? first.cells.filter(Boolean).join(', ') : null;
  return { testers, problem: null, choices: [], unknownTitles };
}

function rowsOf(text: string): CsvRow[] | CsvError {
  try {
    return parseCsv(text);
  } catch (error) {
    if (error instanceof CsvError) return error;
    throw error;
  }
}

/**
 * Finds people in pasted text: addresses with any separators, or lines of a spreadsheet with other columns. A line of a spreadsheet alone
 * cannot be told from a list with a mistyped address.
 */
export function parsePeople(text: string): PastedPeople {
  const list = parseAddresses(text);
  if (list.wrong.length === 0) return list;
  const { testers, problem } = parseTestersCsv(text);
  const isTable = testers.length > 1 && testers.every((one) => one.problem === null && !one.name.includes('@'));
  if (problem !== null || !isTable) return list;
  const once = testers.filter(({ sameAs }) => sameAs === null);
  return { people: once.map(({ email, name }) => ({ email, name: name || null })), wrong: [] };
}

/** The file that is sent: a line for each tester, in their order, after the line of the columns. */
export const toCsv = (testers: readonly Pick<CsvTester, 'email' | 'name'>[]): string =>
  ['email,name', ...testers.map(({ email, name }) => `${quoted(email)},${quoted(name)}`)].join('\n');

const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;

/** The titles of columns, without the differences in their spelling. */
const titlesOf = ({ cells }: CsvRow): string[] => cells.map((cell) => cell.toLowerCase().replaceAll(/[\s_-]+/g, ' '));

/** Whether a line names the column of the addresses. */
const hasTitle = (row: CsvRow): boolean => titlesOf(row).some((title) => EMAIL_HEADERS.includes(title));

/** The places of the columns with names. Empty when there are none. */
function namesIn(row: CsvRow): readonly number[] {
  const titles = titlesOf(row);
  const group = NAME_HEADERS.find((headers) => headers.some((one) => titles.includes(one))) ?? [];
  return group.map((one) => titles.indexOf(one)).filter((place) => place >= 0);
}

/** The places of the columns that may have the addresses. One when it is certain, none when there is no address. */
function emailColumns(rows: readonly CsvRow[]): readonly number[] {
  const titles = rows[0] ? titlesOf(rows[0]) : [];
  const known = EMAIL_HEADERS.find((header) => titles.includes(header));
  const placesOf = (wanted: string): number[] => titles.flatMap((title, place) => (title === wanted ? [place] : []));
  if (known !== undefined) return placesOf(known);
  const counts = new Map<number, number>();
  const sample = rows.slice(0, SAMPLE);
  for (const { cells } of sample) {
    cells.forEach((cell, place) => personIn(cell) && counts.set(place, (counts.get(place) ?? 0) + 1));
  }
  const some = [...counts.keys()].sort((one, other) => one - other);
  const most = some.filter((place) => (counts.get(place) ?? 0) > sample.length / 2);
  return most.length === 1 ? most : some;
}

function testersOf(rows: readonly CsvRow[], emailPlace: number, namePlaces: readonly number[]): CsvTester[] {
  const seen = new Map<string, number>();
  return rows.map(({ line, cells }) => {
    const textOf = (places: readonly number[]): string =>
      places
        .map((place) => cells[place] ?? '')
        .join(' ')
        .replaceAll(/\s+/g, ' ')
        .trim();
    const cell = textOf([emailPlace]);
    const person = personIn(cell);
    const [email, name] = [person?.email ?? cell, textOf(namePlaces) || (person?.name ?? '')];
    const key = email.toLowerCase();
    const sameAs = seen.get(key) ?? null;
    if (sameAs === null && person) seen.set(key, line);
    return { line, email, name, problem: problemOf(cell, person !== null, name), sameAs };
  });
}

function problemOf(cell: string, hasPerson: boolean, name: string): CsvProblem | null {
  if (cell === '') return 'noEmail';
  if (!hasPerson) return 'email';
  return [...name].length > MAX_NAME ? 'name' : null;
}
