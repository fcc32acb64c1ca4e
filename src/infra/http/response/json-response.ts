import { type Express, type Response } from 'express';
import { JsonText } from './json-text';

/** Statuses without a body. */
const BODILESS = new Set([204, 205, 304]);

const MAX_JOINED_LENGTH = 16_384;

/**
 * Makes `response.json` write the headers and a short text in one piece. Express would also compare the response with the client's copy,
 * and make a buffer of the text, which would be written separately. Conditional requests, `HEAD` and other content types are left to
 * Express.
 */
export function writeJsonAtOnce(express: Express): void {
  const { json } = express.response;
  express.response.json = function (this: Response, body?: unknown): Response {
    const { headers, method } = this.req;
    const isConditional = headers['if-none-match'] !== undefined || headers['if-modified-since'] !== undefined;
    const isPlain = !isConditional && method !== 'HEAD' && !BODILESS.has(this.statusCode);
    if (!isPlain || this.hasHeader('Content-Type') || body === undefined) return json.call(this, body);
    const [content, encoding] = contentOf(body);
    this.setHeader('Content-Type', 'application/json; charset=utf-8');
    this.setHeader('Content-Length', Buffer.byteLength(content, encoding));
    return this.end(content, encoding);
  };
}

function contentOf(body: unknown): [content: string | Buffer, encoding: BufferEncoding] {
  if (body instanceof JsonText) return [body.bytes, 'latin1'];
  const text = JSON.stringify(body);
  // A long text would be encoded twice: to count its bytes, and to send them.
  return [text.length < MAX_JOINED_LENGTH ? text : Buffer.from(text), 'utf8'];
}
