import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Stands before a TCP server and can fall silent, as a dead host or a broken network does: it accepts, and that is all. */
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

  /** @param url of the server, whatever its protocol. */
  static async before(url: string): Promise<SilentProxy> {
    const proxy = new SilentProxy(new URL(url));
    await new Promise<void>((resolve) => proxy.server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  /** The way to the same place, through here. */
  urlOf(url: string): string {
    return Object.assign(new URL(url), { host: `127.0.0.1:${(this.server.address() as AddressInfo).port}` }).href;
  }

  /** From here on no byte passes, of old connections or new. */
  fallSilent(): void {
    this.isSilent = true;
    for (const socket of this.relayed) socket.unpipe().pause();
  }

  /** New connections pass; of the old ones nothing is ever heard again. */
  speakAgain(): void {
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
