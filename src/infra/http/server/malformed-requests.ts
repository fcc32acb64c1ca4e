import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import { type Socket } from 'node:net';
import { type NextFunction, type Response } from 'express';
import { AppError } from '#kernel/errors/app-error';
import { newId } from '#kernel/ids';
import { type AppRequest } from '../request/app-request';
import { closeAfterResponse } from './connection-limits';
import { requestIdOf } from '../request/context';
import { envelopeOf, type ErrorPresenter } from '../errors/error-presenter';

/** What Node's own handler looks at, too: the answer that is being written to this connection. */
type AnsweredSocket = Socket & { readonly _httpMessage?: ServerResponse | null };

/** What Node adds: the packet that its parser gave up on. */
type ClientError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer };

const MESSAGES: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'The request line and headers are too long.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request line and headers took too long to arrive.',
};

/** As Node looks for it. */
const MET = /(?:^|\W)100-continue(?:$|\W)/i;

/**
 * Answers with the envelope, too, what no middleware sees (specification §7: every 4xx): what is no HTTP, a head that is too long or
 * too slow, a `CONNECT`. Node would answer with an empty body, or not at all. What it refuses of whole requests it leaves to
 * {@link rejectUnsupportedExpectations}.
 */
export function rejectMalformedRequests(server: Server): void {
  server.on('clientError', (error: ClientError, socket: AnsweredSocket) => {
    if (error.code === 'ECONNRESET' || !canBeAnswered(socket)) {
      socket.destroy();
      return;
    }
    const message = MESSAGES[error.code ?? ''] ?? 'This is not a request that HTTP allows.';
    socket.end(answerOf(new AppError('validation_error', { message }), newId(), !asksForHead(error)));
  });
  server.on('connect', (request: IncomingMessage, socket: AnsweredSocket) => {
    socket.on('error', () => socket.destroy());
    if (canBeAnswered(socket)) socket.write(answerOf(new AppError('not_found'), requestIdOf(request)));
    socket.destroySoon();
  });
  Object.assign(server, { requireHostHeader: false });
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}

/** Refuses a request that HTTP says to refuse (RFC 9112 §3.2, RFC 9110 §10.1.1), as every other is refused. */
export const rejectUnsupportedExpectations =
  (presenter: ErrorPresenter) =>
  (request: AppRequest, response: Response, next: NextFunction): void => {
    const message = unmetBy(request);
    if (message === null) return next();
    closeAfterResponse(request, response);
    presenter.present(new AppError('validation_error', { message }), request, response);
  };

function unmetBy({ httpVersion, headers: { host, expect } }: IncomingMessage): string | null {
  if (httpVersion !== '1.1') return null;
  if (host === undefined) return 'A request needs a Host header.';
  return expect === undefined || MET.test(expect) ? null : 'No expectation but 100-continue is met here.';
}

/** Unless the answer to a request before it is half written. */
const canBeAnswered = (socket: AnsweredSocket): boolean => socket.writable && !socket._httpMessage?.headersSent;

/** An answer as it goes over the wire, the last of its connection. */
function answerOf(error: AppError, requestId: string, withBody = true): string {
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

/** Whoever asks for a head takes a body for the next answer. Known while the packet that cannot be read is the request's first. */
const asksForHead = ({ rawPacket }: ClientError): boolean => rawPacket?.toString('latin1', 0, 5) === 'HEAD ';
