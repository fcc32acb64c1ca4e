import { type OutgoingHttpHeaders, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as otherWork } from 'node:timers/promises';
import { create as contentDisposition } from 'content-disposition';
import { stringify } from 'csv-stringify/sync';
import { escapeFormulas } from '#kernel/text/formulas';

/** The number of rows that are converted to text together. The library takes longer to prepare a call than to write a row. */
const ROWS_AT_ONCE = 100;

/** Numbers are not evaluated. */
const ESCAPED = { string: escapeFormulas };

export type CsvRow = Readonly<Record<string, string | number | null>>;

export interface CsvFile<T> {
  readonly fileName: string;
  /** Column names, in order: the header line. */
  readonly columns: readonly string[];
  readonly rows: AsyncIterable<T>;
}

/**
 * Streams a table as CSV (RFC 4180, UTF-8, CRLF). Text that a spreadsheet would read as a formula gets an
 * apostrophe, also after separators of other spreadsheets. The event loop serves other requests between pieces.
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
    const waiting: CsvRow[] = [];
    const csv = (): string => {
      const options = { columns: [...columns], header, record_delimiter: 'windows' as const, cast: ESCAPED };
      header = false;
      return stringify(waiting.splice(0), options);
    };
    for await (const item of rows) {
      if (waiting.push(toRow(item)) < ROWS_AT_ONCE) continue;
      yield csv();
      await otherWork();
    }
    if (header || waiting.length > 0) yield csv();
  }
  return sendStream(response, headers, lines());
}

/** Streams a JSON document that is generated while it is sent. */
export const sendJsonStream = (response: ServerResponse, pieces: AsyncGenerator<string>): Promise<void> =>
  sendStream(response, { 'Content-Type': 'application/json; charset=utf-8' }, pieces);

/**
 * Streams a body that is generated while it is sent, at the speed of the client. An error before the first piece gives an
 * ordinary error response. A later error destroys the connection, so that the client sees a truncated response and never a
 * valid but incomplete one, and is thrown. `HEAD` generates only the first piece. Resolves when the response is complete or
 * the client has disconnected.
 */
async function sendStream(
  response: ServerResponse,
  headers: OutgoingHttpHeaders,
  pieces: AsyncGenerator<string>,
): Promise<void> {
  const first = await pieces.next();
  response.writeHead(200, headers);
  if (response.req.method === 'HEAD') {
    await pieces.return(undefined);
    response.end();
    return;
  }
  let failure: unknown;
  async function* body(): AsyncGenerator<string> {
    try {
      if (!first.done) yield first.value;
      yield* pieces;
    } catch (error) {
      if (!isDisconnection(error)) failure = error;
      throw error;
    }
  }
  await pipeline(Readable.from(body(), { objectMode: true, highWaterMark: 1 }), response).catch(() => undefined);
  if (failure !== undefined) throw failure as Error;
}

/** The pipeline throws it into the generator when the client has disconnected. */
const isDisconnection = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException | null)?.code === 'ERR_STREAM_PREMATURE_CLOSE';
