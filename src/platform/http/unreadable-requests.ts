import { type Server, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';
import { AppError } from '#kernel/errors/app-error';
import { newId } from '#kernel/ids/ids';
import { envelopeOf } from './error-presenter';

/** What Node's own handler looks at, too: the answer that is being written to this connection. */
type AnsweredSocket = Socket & { readonly _httpMessage?: ServerResponse | null };

/** What Node adds: the packet that its parser gave up on. */
type ClientError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer };

const MESSAGES: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'The request line and headers are too long.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request line and headers took too long to arrive.',
};

/**
 * Answers what is no HTTP, or whose head is too long or too slow, with the envelope too (specification §7: every 4xx). No
 * middleware sees such a request: Node would answer it with an empty body.
 */
export function answerUnreadableRequests(server: Server): void {
  server.on('clientError', (error: ClientError, socket: AnsweredSocket) => {
    if (error.code === 'ECONNRESET' || !socket.writable || socket._httpMessage?.headersSent) {
      socket.destroy();
      return;
    }
    const requestId = newId();
    const message = MESSAGES[error.code ?? ''] ?? 'This is not a request that HTTP allows.';
    const body = JSON.stringify(envelopeOf(new AppError('validation_error', { message }), requestId));
    const head = [
      'HTTP/1.1 400 Bad Request',
      'Connection: close',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Cache-Control: no-store',
      'X-Content-Type-Options: nosniff',
      `X-Request-Id: ${requestId}`,
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${asksForHead(error) ? '' : body}`);
  });
}

/** Whoever asks for a head takes a body for the next answer. Known while the packet that cannot be read is the request's first. */
const asksForHead = ({ rawPacket }: ClientError): boolean => rawPacket?.toString('latin1', 0, 5) === 'HEAD ';
