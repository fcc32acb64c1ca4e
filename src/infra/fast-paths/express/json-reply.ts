import { StreamableFile } from '@nestjs/common';
import { type Response } from 'express';
import { JsonText } from '#infra/http/response/json-text';

/** Statuses without a body. */
const BODILESS = new Set([204, 205, 304]);

const MAX_JOINED_LENGTH = 16_384;

/**
 * Writes the headers and a short JSON text in one piece. Express would also compare the response with the client's copy, and make a buffer
 * of the text, which would be written separately. Conditional requests, `HEAD` and other content are left to Express.
 * @returns whether it has responded.
 */
export function replyWithJson(response: Response, body: unknown): boolean {
  if (!isJson(body) || !isPlain(response)) return false;
  const [content, encoding] = contentOf(body);
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(content, encoding));
  response.end(content, encoding);
  return true;
}

const isJson = (body: unknown): body is object =>
  typeof body === 'object' && body !== null && !(body instanceof StreamableFile) && !(body instanceof Error);

function isPlain(response: Response): boolean {
  const { headers, method } = response.req;
  const isConditional = headers['if-none-match'] !== undefined || headers['if-modified-since'] !== undefined;
  return (
    !isConditional && method !== 'HEAD' && !BODILESS.has(response.statusCode) && !response.hasHeader('Content-Type')
  );
}

function contentOf(body: object): [content: string | Buffer, encoding: BufferEncoding] {
  if (body instanceof JsonText) return [body.bytes, 'latin1'];
  const text = JSON.stringify(body);
  // A long text would be encoded twice: to count its bytes, and to send them.
  return [text.length < MAX_JOINED_LENGTH ? text : Buffer.from(text), 'utf8'];
}
