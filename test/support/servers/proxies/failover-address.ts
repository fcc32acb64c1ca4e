import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** The one address of a primary and its standby, which a failover moves to the other server. */
export class FailoverAddress {
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;

  private constructor(private target: URL) {
    this.server = createServer((client) => {
      const upstream = connect(Number(this.target.port), this.target.hostname);
      for (const [socket, other] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        this.sockets.add(socket);
        socket.on('error', () => undefined).on('close', () => other.destroy() && this.sockets.delete(socket));
      }
      client.pipe(upstream).pipe(client);
    });
  }

  /** @param url of the primary. */
  static async startBefore(url: string): Promise<FailoverAddress> {
    const address = new FailoverAddress(new URL(url));
    await new Promise<void>((resolve) => address.server.listen(0, '127.0.0.1', resolve));
    return address;
  }

  /** Rewrites a URL of a server so that it has this address. */
  urlOf(url: string): string {
    return Object.assign(new URL(url), { host: `127.0.0.1:${(this.server.address() as AddressInfo).port}` }).href;
  }

  /** Breaks the existing connections, and leads new ones to another server. */
  moveTo(url: string): void {
    this.target = new URL(url);
    for (const socket of this.sockets) socket.destroy();
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
