import { type Server } from 'node:http';
import { type Socket } from 'node:net';

/**
 * The connections of a server that have sent nothing yet, such as those that browsers open in advance. Node counts them as active until
 * `headersTimeout`, so that `closeIdleConnections` leaves them open.
 */
export class SilentConnections {
  private readonly sockets = new Set<Socket>();

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
  }

  close(): void {
    for (const socket of this.sockets) if (socket.bytesRead === 0) socket.destroy();
  }
}
