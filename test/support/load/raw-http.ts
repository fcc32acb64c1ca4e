import { randomBytes } from 'node:crypto';
import { type IncomingHttpHeaders, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { type UploadFile } from '../actors/actors';

export interface RawRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | string;
}

/** A response as received: no redirect followed, no decoding, no error for any status. */
export interface RawResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly text: string;
}

/** Sends a request with exactly these headers, plus Node's `Host` and `Connection`. */
export function rawRequest(url: string, { method = 'GET', headers = {}, body }: RawRequest = {}): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      const finish = (): void => {
        const whole = Buffer.concat(chunks);
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: whole, text: whole.toString() });
      };
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        // An event stream does not end by itself: its first chunk is enough.
        if (!response.headers['content-type']?.startsWith('text/event-stream')) return;
        finish();
        request.destroy();
      });
      response.on('error', reject);
      response.on('end', finish);
    });
    request.on('error', reject);
    if (headers['Expect'] === undefined) request.end(body);
    else request.once('continue', () => request.end(body)).flushHeaders();
  });
}

/** Sends bytes that need not be HTTP. Returns everything that the connection received until it closed. */
export const bytesTo = (url: string, bytes: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(bytes));
    let text = '';
    socket.on('data', (chunk) => (text += chunk.toString()));
    socket.on('close', () => resolve(text)).on('error', reject);
  });

/** curl sends `Expect: 100-continue` for bodies larger than this. */
const EXPECT_CONTINUE_BYTES = 1024 * 1024;

/** Uploads like `curl -H "Authorization: Bearer $TOKEN" -F file=@… -F name=value …`, byte for byte as curl 8 does. */
export function curlUpload(
  url: string,
  token: string,
  file: UploadFile,
  fields: Readonly<Record<string, string>> = {},
): Promise<RawResponse> {
  const boundary = `------------------------${randomBytes(11).toString('hex')}`;
  const part = (disposition: string, more = ''): string =>
    `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n${more}\r\n`;
  const body = Buffer.concat([
    Buffer.from(part(`name="file"; filename="${file.fileName}"`, 'Content-Type: application/octet-stream\r\n')),
    file.bytes,
    Buffer.from(
      Object.entries(fields)
        .map(([name, value]) => `\r\n${part(`name="${name}"`)}${value}`)
        .join(''),
    ),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  return rawRequest(url, {
    method: 'POST',
    headers: {
      'User-Agent': 'curl/8.17.0',
      Accept: '*/*',
      Authorization: `Bearer ${token}`,
      'Content-Length': String(body.length),
      'Content-Type': `multipart/form-data; boundary=${boundary}`,
      ...(body.length > EXPECT_CONTINUE_BYTES && { Expect: '100-continue' }),
    },
    body,
  });
}
