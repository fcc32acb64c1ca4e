import { type ServerResponse } from 'node:http';
import { create as contentDisposition } from 'content-disposition';
import { stringify } from 'csv-stringify/sync';
import { sendStream } from './send-stream';

export type CsvRow = Readonly<Record<string, string | number | null>>;

export interface CsvFile<T> {
  readonly fileName: string;
  /** The header line: names of the fields of a row, in order. */
  readonly columns: readonly string[];
  readonly rows: AsyncIterable<T>;
}

/**
 * Streams a table as CSV (RFC 4180, UTF-8, CRLF). Texts that a spreadsheet would take for a formula begin with an apostrophe.
 */
export function sendCsv<T>(
  response: ServerResponse,
  { fileName, columns, rows }: CsvFile<T>,
  toRow: (item: T) => CsvRow,
): Promise<void> {
  const headers = {
    'Content-Type': 'text/csv; charset=utf-8; header=present',
    'Content-Disposition': contentDisposition(fileName),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  };
  async function* lines(): AsyncGenerator<string> {
    let header = true;
    const csv = (...some: CsvRow[]): string =>
      stringify(some, { columns: [...columns], header, record_delimiter: 'windows', escape_formulas: true });
    for await (const item of rows) {
      yield csv(toRow(item));
      header = false;
    }
    if (header) yield csv();
  }
  return sendStream(response, headers, lines());
}
