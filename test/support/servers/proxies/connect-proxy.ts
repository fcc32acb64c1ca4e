import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

/** An HTTP proxy as companies have them: it connects clients to the hosts that they name by CONNECT. */
export class ConnectProxy {
  /** The hosts and ports that clients were connected to. */
  readonly connected: string[] = [];
  /** The bytes that clients have sent through it. */
  sentBytes = 0;
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;

  private constructor(login: string | null) {
    this.server = createServer((_request, response) => response.writeHead(405).end());
    this.server.on('connection', (socket) => this.keep(socket));
    this.server.on('connect', ({ url = '', headers }, client: Socket) => {
      const expected = login === null ? undefined : `Basic ${Buffer.from(login).toString('base64')}`;
      if (headers['proxy-authorization'] !== expected) {
        client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
        return;
      }
      this.connected.push(url);
      const { hostname, port } = new URL(`http://${url}`);
      const upstream = connect(Number(port || 80), hostname, () => {
        client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
        client.pipe(upstream).pipe(client);
      });
      client.on('data', (chunk: Buffer) => (this.sentBytes += chunk.length));
      this.keep(upstream);
      upstream.on('error', () => client.destroy());
    });
  }

  /** @param login name and password that clients must send, such as `ann:secret`. Null when none are required. */
  static async start(login: string | null = null): Promise<ConnectProxy> {
    const proxy = new ConnectProxy(login);
    await new Promise<void>((resolve) => proxy.server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get host(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get url(): string {
    return `http://${this.host}`;
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
