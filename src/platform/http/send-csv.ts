import { type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { create as contentDisposition } from 'content-disposition';
import { stringify } from 'csv-stringify';

export type CsvRow = Readonly<Record<string, string | number | null>>;

export interface CsvFile<T> {
  readonly fileName: string;
  /** The header line: names of the fields of a row, in order. */
  readonly columns: readonly string[];
  readonly rows: AsyncIterable<T>;
}

/**
 * Streams a table as CSV (RFC 4180, UTF-8, CRLF): rows are read as fast as the client takes them. Texts that a spreadsheet
 * would take for a formula begin with an apostrophe. What fails before the first row is an error like any other; what fails
 * later cuts the connection, so that no client takes the part for the whole.
 */
export async function sendCsv<T>(
  response: ServerResponse,
  { fileName, columns, rows }: CsvFile<T>,
  toRow: (item: T) => CsvRow,
): Promise<void> {
  const iterator = rows[Symbol.asyncIterator]();
  let next = await iterator.next();
  async function* lines(): AsyncGenerator<CsvRow, void, void> {
    for (; next.done !== true; next = await iterator.next()) yield toRow(next.value);
  }
  response.writeHead(200, {
    'Content-Type': 'text/csv; charset=utf-8; header=present',
    'Content-Disposition': contentDisposition(fileName),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  });
  const csv = stringify({
    columns: [...columns],
    header: true,
    record_delimiter: 'windows',
    escape_formulas: true,
  });
  try {
    await pipeline(Readable.from(lines()), csv, response);
  } catch (error) {
    // The client left: nobody is waiting.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}
