import { randomBytes } from 'node:crypto';
import { type ServerResponse } from 'node:http';
import { type Readable } from 'node:stream';
import { AppError } from '#kernel/errors/app-error';
import { type BlobStore, type ByteRange, type ByteSpan } from '#infra/blob/blob-store';
import { sendChunks } from '#infra/blob/streams/open-blob';

/** Each range is a request to the store. electron-updater sends some ten to a hundred. */
const MAX_RANGES = 200;

/**
 * Several ranges of a `Range` header in bytes (RFC 9110, section 14.2). Undefined for one range, and for ranges that are not served: more
 * than 200, or not in ascending order without overlaps, or beyond the end of the file. The ranges of an accepted header are together at
 * most as long as the file.
 */
export function parseRanges(header: string, sizeBytes: number): readonly ByteRange[] | undefined {
  const [, list] = /^\s*bytes\s*=(.*)$/i.exec(header) ?? [];
  const specs = list?.split(',', MAX_RANGES + 1) ?? [];
  if (specs.length < 2 || specs.length > MAX_RANGES) return undefined;
  const ranges: ByteRange[] = [];
  for (const spec of specs) {
    const range = parseSpec(spec, sizeBytes);
    if (!range || range.start <= (ranges.at(-1)?.end ?? -1)) return undefined;
    ranges.push(range);
  }
  return ranges;
}

function parseSpec(spec: string, sizeBytes: number): ByteRange | undefined {
  const [, first = '', last = ''] = /^\s*(\d{1,15})-(\d{1,15})\s*$/.exec(spec) ?? [];
  const range = { start: Number(first), end: Math.min(Number(last), sizeBytes - 1) };
  return first === '' || range.end < range.start ? undefined : range;
}

/** The number of bytes of a file in ranges. */
export const bytesOf = (ranges: readonly ByteRange[]): number =>
  ranges.reduce((sum, { start, end }) => sum + end - start + 1, 0);

export interface SentRanges {
  readonly store: BlobStore;
  readonly key: string;
  readonly sizeBytes: number;
  readonly mediaType: string;
  readonly ranges: readonly ByteRange[];
  /** The bytes of the first range, so that a store that fails is noticed before the headers are sent. */
  readonly first: Readable;
}

/**
 * Sends ranges of a blob as `multipart/byteranges` (RFC 9110, section 14.6). The body starts with the delimiter, without an empty line
 * before it, which electron-updater requires. Destroys the connection when the store fails or sends too many or too few bytes.
 * @param headers those of the whole file; type and length are replaced.
 * @returns what the client has received of each range.
 */
export async function sendRanges(
  response: ServerResponse,
  headers: Readonly<Record<string, string>>,
  file: SentRanges,
): Promise<ByteSpan[]> {
  const boundary = randomBytes(16).toString('hex');
  const body = new MultipartBody(file, boundary);
  response.once('close', () => body.close());
  response.writeHead(206, {
    ...headers,
    'Content-Type': `multipart/byteranges; boundary=${boundary}`,
    'Content-Length': body.length,
  });
  await sendChunks(body.chunks(), response, body.length);
  body.close();
  return body.sent;
}

class MultipartBody {
  /** What was sent of each range, in order. A chunk counts when the next one is requested. */
  readonly sent: ByteSpan[] = [];
  private readonly heads: readonly Buffer[];
  private readonly end: Buffer;
  private current: Readable;
  private isClosed = false;

  constructor(
    private readonly file: SentRanges,
    boundary: string,
  ) {
    const { ranges, sizeBytes, mediaType } = file;
    this.heads = ranges.map(({ start, end }, index) =>
      Buffer.from(
        `${index === 0 ? '' : '\r\n'}--${boundary}\r\nContent-Type: ${mediaType}\r\n` +
          `Content-Range: bytes ${start}-${end}/${sizeBytes}\r\n\r\n`,
      ),
    );
    this.end = Buffer.from(`\r\n--${boundary}--\r\n`);
    this.current = file.first;
  }

  get length(): number {
    return this.heads.reduce((sum, head) => sum + head.length, this.end.length) + bytesOf(this.file.ranges);
  }

  async *chunks(): AsyncGenerator<Buffer> {
    const { ranges, store, key } = this.file;
    for (const [index, range] of ranges.entries()) {
      yield this.heads[index] as Buffer;
      if (index > 0) this.current = await store.read(key, range);
      if (this.isClosed) return this.close();
      yield* this.chunksOf(this.current, range);
    }
    yield this.end;
  }

  /** Also called when the client disconnects while the store sends nothing. */
  close(): void {
    this.isClosed = true;
    this.current.destroy();
  }

  private async *chunksOf(source: Readable, { start, end }: ByteRange): AsyncGenerator<Buffer> {
    let at = start;
    for await (const chunk of source as AsyncIterable<Buffer>) {
      if (at + chunk.length > end + 1) throw otherLength(start, end);
      yield chunk;
      if (at > start) this.sent.pop();
      at += chunk.length;
      this.sent.push({ start, end: at });
    }
    if (at <= end) throw otherLength(start, end);
  }
}

/** Only ends the response: its headers are sent. */
const otherLength = (start: number, end: number): AppError =>
  new AppError('storage_backend_unavailable', { cause: `the store sent another length for bytes ${start} to ${end}` });
