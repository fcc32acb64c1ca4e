import { type IncomingMessage, type Server, type ServerResponse } from 'node:http';

const DRAIN_BYTES = 512 * 1024;
const LINGER_MS = 1_000;

/**
 * To be called before answering a request whose body is not going to be read: announces `Connection: close`, and after the
 * answer closes our half of the connection only. A server that simply closes while the client is still sending makes the
 * kernel reset the connection, and the reset may destroy the answer before the client has read it (RFC 9112 §9.6). At most
 * 512 KiB more are read, and after one second the connection goes, whatever the client does.
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
  // What Node's server calls when an answer with `Connection: close` is out.
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
 * Ends a connection over which, a minute after the answer, its request is still arriving: a body that nobody read, a byte now
 * and then. Until then it is read and dropped, so that an honest client can send all and then hear the answer.
 */
export function closeSlowConnections(server: Server): void {
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    response.once('finish', () => {
      if (request.complete) return;
      const tooLong = setTimeout(() => request.socket.destroy(), MAX_REST_MS);
      // When the connection ends before its request does, Node says nothing: nobody is to wait for that.
      tooLong.unref();
      request.once('close', () => clearTimeout(tooLong));
    });
  });
}
