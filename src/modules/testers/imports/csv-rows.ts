import { CsvError, parse } from 'csv-parse/sync';
import { AppError } from '#kernel/errors/app-error';
import { unescapeFormulas } from '#kernel/text/formulas';

/** About as many lines as the maximum body of one megabyte holds. */
export const MAX_LINES = 10_000;
/** The parser takes a tenth of a second for a million cells, during which no other request is served. */
const MAX_CELLS = 200_000;
const MAX_LINE_CHARACTERS = 10_000;

/** The first line of a file for Excel, which names the separator. */
const SEPARATOR_LINE = /^\ufeff?"?sep=([,;\t|])"?[^\S\r\n]*(?:\r\n|\r|\n|$)/i;
const LINE_BREAK = /\r\n|\r|\n/g;

interface Row {
  /** The line on which the row begins, counted from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/**
 * Reads a CSV file by the rules of the command line and the dashboard (test/fixtures/csv). The separator is the one of a line `sep=…`,
 * else the comma, semicolon or tab of the first line. Stops after the row that exceeds the maximum number of lines behind a header.
 * @throws AppError validation_error
 */
export function csvRows(text: string): Row[] {
  const named = SEPARATOR_LINE.exec(text)?.[1];
  const delimiter = named ?? separatorOf(text);
  if (text.split(delimiter, MAX_CELLS + 1).length > MAX_CELLS) throw wrongFile(`must have ${MAX_CELLS} cells or fewer`);
  const parsed = parsedBy(text, delimiter, named === undefined ? 1 : 2);
  return parsed.map(({ record, info }) => ({
    line: info.lines - breaksIn(record),
    cells: record.map((cell) => unescapeFormulas(cell.trim())),
  }));
}

export const wrongFile = (message: string): AppError => AppError.validation([{ field: 'file', messages: [message] }]);

export const wrongLine = (line: number, message: string): AppError =>
  AppError.validation([{ field: `line ${line}`, messages: [message] }]);

/** The comma, semicolon or tab that the first line contains outside of quotation marks. */
function separatorOf(text: string): string {
  const head = /\S[^\r\n]*/.exec(text)?.[0].replace(/"[^"]*"/g, '') ?? '';
  return [',', ';', '\t'].find((candidate) => head.includes(candidate)) ?? ',';
}

interface ParsedRow {
  readonly record: readonly string[];
  /** `lines` is the line on which the row ends. */
  readonly info: { readonly lines: number };
}

function parsedBy(text: string, delimiter: string, fromLine: number): ParsedRow[] {
  try {
    return parse(text, {
      bom: true,
      delimiter,
      from_line: fromLine,
      info: true,
      max_record_size: MAX_LINE_CHARACTERS,
      record_delimiter: ['\r\n', '\r', '\n'],
      relax_column_count: true,
      // Quotation marks inside a cell that does not begin with one are text.
      relax_quotes: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      to: MAX_LINES + 2,
      trim: true,
    }) as unknown as ParsedRow[];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { lines = 1 } = error as { readonly lines?: number };
    throw wrongLine(lines, error.message);
  }
}

const breaksIn = (cells: readonly string[]): number =>
  cells.reduce((total, cell) => total + (cell.match(LINE_BREAK)?.length ?? 0), 0);
