import dns from 'node:dns';
import dnsPromises from 'node:dns/promises';
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** Stands for a public address. List it in `BYOSA_ALLOWED_HOSTS`. */
export const PUBLIC = '127.0.0.2';
/** The private address that no connection may reach. */
export const PRIVATE = '127.0.0.1';
/** Passed to `resolvesTo`: the name does not exist. */
export const NOWHERE = 'ENOTFOUND';

/** A DNS rebinding attack: a host name that first resolves to a store at a public address and later to a private address. */
export class RebindingStore {
  /** The number of connections to the private address. */
  hits = 0;
  private answers: readonly string[] = [PUBLIC];
  private lookups = 0;
  private readonly sockets = new Set<Socket>();

  private constructor(
    readonly name: string,
    private readonly outside: Server,
    private readonly inside: HttpServer,
  ) {}

  /** @param target the port of the store on localhost. */
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
    // The same port, so that only the resolved address differs.
    await new Promise<void>((resolve) => inside.listen(store.port, PRIVATE, resolve));
    return store;
  }

  get port(): number {
    return (this.outside.address() as AddressInfo).port;
  }

  get endpoint(): string {
    return `http://${this.name}:${this.port}`;
  }

  /** A URL at the private address, for a store that redirects. */
  get insideUrl(): string {
    return `http://${PRIVATE}:${this.port}/inside`;
  }

  /** Makes the name resolve to these addresses in turn, and closes existing connections. */
  resolvesTo(...answers: readonly string[]): void {
    this.answers = answers;
    this.lookups = 0;
    for (const socket of this.sockets) socket.destroy();
    this.sockets.clear();
  }

  async stop(): Promise<void> {
    this.resolvesTo();
    this.inside.closeAllConnections();
    await Promise.all([this.outside, this.inside].map((server) => new Promise((resolve) => server.close(resolve))));
  }

  /** The address of the next lookup. */
  next(): string {
    return this.answers[this.lookups++ % this.answers.length] ?? PUBLIC;
  }
}

/** Mocks DNS in this process for the stores' names. `dns/promises`, which the diagnosis uses once, always returns the public address. */
export function mockDns(stores: readonly RebindingStore[]): void {
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
