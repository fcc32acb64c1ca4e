import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import { type Socket } from 'node:net';
import { type NextFunction, type Response } from 'express';
import { AppError } from '#kernel/errors/app-error';
import { newId } from '#kernel/ids';
import { envelopeOf, type ErrorPresenter } from '../errors/error-presenter';
import { type AppRequest } from '../request/app-request';
import { closeAfterResponse } from './connection-limits';

/** `_httpMessage` is the response being written to this connection; Node's default handler reads it, too. */
type RespondingSocket = Socket & { readonly _httpMessage?: ServerResponse | null };

/** `rawPacket` is the data that Node's parser rejected. */
type ClientError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer };

const MESSAGES: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'The request line and headers are too long.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request line and headers took too long to arrive.',
};

/** Node's own pattern for this expectation. */
const CONTINUE = /(?:^|\W)100-continue(?:$|\W)/i;

/**
 * Sends the error envelope for requests that reach no middleware: invalid HTTP, headers that are too long or too slow, and
 * `CONNECT`. Node would send an empty body, or nothing. Valid requests that Node itself would reject are left to {@link
 * rejectUnsupportedExpectations}.
 */
export function rejectMalformedRequests(server: Server): void {
  server.on('clientError', (error: ClientError, socket: RespondingSocket) => {
    if (error.code === 'ECONNRESET' || !canRespond(socket)) {
      socket.destroy();
      return;
    }
    const message = MESSAGES[error.code ?? ''] ?? 'The request is not valid HTTP.';
    socket.end(rawResponseOf(new AppError('validation_error', { message }), newId(), !isHeadRequest(error)));
  });
  server.on('connect', (_request: IncomingMessage, socket: RespondingSocket) => {
    socket.on('error', () => socket.destroy());
    if (canRespond(socket)) socket.write(rawResponseOf(new AppError('not_found'), newId()));
    socket.destroySoon();
  });
  Object.assign(server, { requireHostHeader: false });
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}

/** Middleware that rejects requests which HTTP requires a server to reject (RFC 9112, section 3.2, RFC 9110, section 10.1.1). */
export const rejectUnsupportedExpectations =
  (presenter: ErrorPresenter) =>
  (request: AppRequest, response: Response, next: NextFunction): void => {
    const message = problemOf(request);
    if (message === null) return next();
    closeAfterResponse(request, response);
    presenter.present(new AppError('validation_error', { message }), request, response);
  };

function problemOf({ httpVersion, headers: { host, expect } }: IncomingMessage): string | null {
  if (httpVersion !== '1.1') return null;
  if (host === undefined) return 'The Host header is missing.';
  return expect === undefined || CONTINUE.test(expect) ? null : 'The Expect header supports only 100-continue.';
}

/** False if an earlier response on this connection has started. */
const canRespond = (socket: RespondingSocket): boolean => socket.writable && !socket._httpMessage?.headersSent;

/** The complete HTTP response as text. The connection closes after it. */
function rawResponseOf(error: AppError, requestId: string, withBody = true): string {
  const { status } = error.entry;
  const body = JSON.stringify(envelopeOf(error, requestId));
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    `X-Request-Id: ${requestId}`,
  ];
  return `${head.join('\r\n')}\r\n\r\n${withBody ? body : ''}`;
}

/**
 * A HEAD client would parse a body as the next response, so none is sent. Detectable only while the rejected packet is the
 * first of its request.
 */
const isHeadRequest = ({ rawPacket }: ClientError): boolean => rawPacket?.toString('latin1', 0, 5) === 'HEAD ';
