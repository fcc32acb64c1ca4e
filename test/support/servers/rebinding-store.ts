import dns from 'node:dns';
import dnsPromises from 'node:dns/promises';
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** Stands for a public address. Permit it in `BYOSA_ALLOWED_HOSTS`. */
export const PUBLIC = '127.0.0.2';
/** Stands for an internal address, to which no request may be sent. */
export const PRIVATE = '127.0.0.1';
/** The error of a name server for an unknown name. */
export const NOWHERE = 'ENOTFOUND';

/** A store with a host name that an attacker's name server resolves to a public address first, and to an internal one later. */
export class RebindingStore {
  /** The number of connections to the internal address. */
  hits = 0;
  private addresses: readonly string[] = [PUBLIC];
  private lookups = 0;
  private readonly sockets = new Set<Socket>();

  private constructor(
    readonly name: string,
    private readonly outside: Server,
    private readonly inside: HttpServer,
  ) {}

  /** @param target the port of the store on this machine. */
  static async start(name: string, target: number): Promise<RebindingStore> {
    const outside = createServer((socket) => {
      const store = connect(target, '127.0.0.1');
      for (const [from, to] of [
        [socket, store],
        [store, socket],
      ] as const) {
        from.pipe(to);
        from.on('error', () => to.destroy()).on('close', () => to.destroy());
      }
    });
    await new Promise<void>((resolve) => outside.listen(0, PUBLIC, resolve));
    const inside = createHttpServer((_request, response) => response.end('inside'));
    const store = new RebindingStore(name, outside, inside);
    outside.on('connection', (socket: Socket) => store.sockets.add(socket));
    inside.on('connection', () => (store.hits += 1));
    // At the same port, so that the two differ only in the address.
    await new Promise<void>((resolve) => inside.listen(store.port, PRIVATE, resolve));
    return store;
  }

  get port(): number {
    return (this.outside.address() as AddressInfo).port;
  }

  get endpoint(): string {
    return `http://${this.name}:${this.port}`;
  }

  /** A URL of the internal server, for a store that redirects there. */
  get insideUrl(): string {
    return `http://${PRIVATE}:${this.port}/inside`;
  }

  /** Lets the name resolve to these addresses in turn, and closes open connections. */
  resolvesTo(...addresses: readonly string[]): void {
    this.addresses = addresses;
    this.lookups = 0;
    for (const socket of this.sockets) socket.destroy();
    this.sockets.clear();
  }

  async stop(): Promise<void> {
    this.resolvesTo();
    this.inside.closeAllConnections();
    await Promise.all([this.outside, this.inside].map((server) => new Promise((resolve) => server.close(resolve))));
  }

  next(): string {
    return this.addresses[this.lookups++ % this.addresses.length] ?? PUBLIC;
  }
}

/** Resolves the names of these stores in this process. The lookup of the diagnosis itself always finds the public address. */
export function resolveByThem(stores: readonly RebindingStore[]): void {
  const known = (host: string): RebindingStore | undefined => stores.find(({ name }) => name === host);
  const lookup = dns.lookup;
  const lookupPromise = dnsPromises.lookup;
  type Found = (error: Error | null, addresses: object[]) => void;
  jest.spyOn(dns, 'lookup').mockImplementation(((host: string, options: object, found: Found) => {
    const store = known(host);
    if (!store) return lookup(host, options, found as never);
    const address = store.next();
    if (address === NOWHERE) found(Object.assign(new Error(`${NOWHERE} ${host}`), { code: NOWHERE }), []);
    else found(null, [{ address, family: 4 }]);
  }) as never);
  jest
    .spyOn(dnsPromises, 'lookup')
    .mockImplementation(((host: string, options: object) =>
      known(host) ? Promise.resolve([{ address: PUBLIC, family: 4 }]) : lookupPromise(host, options)) as never);
}
