import { type Server } from 'node:http';

/**
 * Closes the responses of pipelined requests when their client disconnects. When a connection closes, Node emits `close` only for the
 * response that is being sent, so the work for those that wait for it would never end.
 */
export function closePipelinedResponses(server: Server): void {
  server.on('request', ({ socket }, response) => {
    // A response gets its socket when those before it are complete.
    if (response.socket) return;
    const close = (): void => {
      response.destroy();
      response.emit('close');
    };
    // Node warns of a leak at the eleventh listener, but any number of requests may wait.
    socket.setMaxListeners(0);
    socket.once('close', close);
    response.once('socket', () => socket.off('close', close));
  });
}
