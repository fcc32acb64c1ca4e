import { type IncomingMessage, type Server, type ServerResponse } from 'node:http';

const DRAIN_BYTES = 512 * 1024;
const LINGER_MS = 1_000;

/**
 * Call it before responding to a request whose body will not be read. It announces `Connection: close`, and after the
 * response closes only the sending half of the connection: if the server closed both while the client is still sending, the
 * kernel would reset the connection, and the reset may destroy the response before the client has read it (RFC 9112, section 9.6).
 * At most 512 KiB more are read, and the connection is destroyed after one second.
 */
export function closeAfterResponse(request: IncomingMessage, response: ServerResponse): void {
  if (request.complete || request.destroyed || response.headersSent) return;
  response.setHeader('Connection', 'close');

  let left = DRAIN_BYTES;
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left <= 0) request.pause();
  });
  request.on('error', () => undefined);
  request.resume();

  const { socket } = request;
  // Node's server calls this after a response with `Connection: close`.
  socket.destroySoon = () => {
    socket.end();
    const close = (): void => void socket.destroy();
    const timer = setTimeout(close, LINGER_MS);
    socket.once('close', () => clearTimeout(timer));
    if (request.complete) close();
    else request.once('end', close);
  };
}

const MAX_REST_MS = 60_000;

/**
 * Destroys a connection whose request is still arriving one minute after the response was sent. Until then the rest of the
 * body is read and discarded, so that a client which reads the response only after sending everything can still receive it.
 */
export function closeSlowConnections(server: Server): void {
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    response.once('finish', () => {
      if (request.complete) return;
      const timeout = setTimeout(() => request.socket.destroy(), MAX_REST_MS);
      // Node emits no event when the connection closes before the request is complete: the timer must not keep the process
      // alive.
      timeout.unref();
      request.once('close', () => clearTimeout(timeout));
    });
  });
}
