import { type IncomingMessage, type Server, type ServerResponse } from 'node:http';

const MAX_REST_MS = 60_000;

/**
 * Ends a connection over which, a minute after the answer, its request is still arriving: a body that nobody read, a byte now
 * and then. Until then it is read and dropped, so that an honest client can send all and then hear the answer.
 */
export function endSlowRequests(server: Server): void {
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
