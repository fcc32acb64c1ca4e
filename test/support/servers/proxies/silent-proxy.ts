import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP proxy that can go silent, as a dead host or a broken network does: it accepts connections but forwards no data. */
export class SilentProxy {
  private isSilent = false;
  private readonly sockets = new Set<Socket>();
  private readonly relayed = new Set<Socket>();
  private readonly server: Server;

  private constructor(target: URL) {
    this.server = createServer((client) => {
      this.keep(client);
      if (this.isSilent) return;
      const upstream = connect(Number(target.port), target.hostname);
      this.keep(upstream);
      this.relayed.add(client).add(upstream);
      client.pipe(upstream).pipe(client);
    });
  }

  /** @param url the server's URL, of any protocol. */
  static async startBefore(url: string): Promise<SilentProxy> {
    const proxy = new SilentProxy(new URL(url));
    await new Promise<void>((resolve) => proxy.server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  /** Rewrites a URL of the server so that it goes through this proxy. */
  urlOf(url: string): string {
    return Object.assign(new URL(url), { host: `127.0.0.1:${(this.server.address() as AddressInfo).port}` }).href;
  }

  /** Stops forwarding on existing and new connections. */
  goSilent(): void {
    this.isSilent = true;
    for (const socket of this.relayed) socket.unpipe().pause();
  }

  /** Forwards new connections again. The existing ones stay silent. */
  resume(): void {
    this.isSilent = false;
    this.relayed.clear();
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private keep(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => this.sockets.delete(socket));
  }
}
