import { lookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { Agent as HttpAgent, type AgentOptions } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { isIP, type Socket, type TcpNetConnectOpts } from 'node:net';
import { type Duplex } from 'node:stream';
import { type AllowedHosts } from './allowed-hosts';

export interface OutgoingOptions {
  /** Where connections may lead. Absent: anywhere, for places that the operator has named. */
  readonly allowed?: AllowedHosts;
  /** Longest time until a connection stands, TLS and all. */
  readonly connectMs?: number;
  /** Longest silence on a connection. */
  readonly idleMs?: number;
}

const CONNECT_MS = 3_000;
const IDLE_MS = 30_000;
/** Connections to one host. */
const MAX_SOCKETS = 64;

/** A refused destination; no system error has this code. */
export const ADDRESS_REFUSED = 'EADDRREFUSED';

type Connected = (error: Error | null, socket: Duplex) => void;
type Found = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void;

/**
 * Agents for requests to stores. Connections are kept alive, limited in number, and cut when they are silent for too long.
 *
 * With `allowed`, an address is checked when it is connected to: the name is resolved once, and it is the resolved addresses that are
 * checked and connected to, so that a name cannot be public for the check and private for the connection. One private address among
 * several spoils them all.
 */
export class OutgoingAgents {
  readonly http: HttpAgent;
  readonly https: HttpsAgent;

  constructor(options: OutgoingOptions = {}) {
    const agentOptions = { keepAlive: true, maxSockets: MAX_SOCKETS, timeout: options.idleMs ?? IDLE_MS };
    this.http = new PlainAgent(agentOptions, options);
    this.https = new TlsAgent(agentOptions, options);
  }

  /** The one for an address's protocol. */
  agentFor(url: string): HttpAgent | HttpsAgent {
    return url.startsWith('https:') ? this.https : this.http;
  }

  /** Lets go of connections that nobody uses; those in use end by themselves. */
  close(): void {
    for (const agent of [this.http, this.https]) {
      for (const socket of Object.values(agent.freeSockets).flatMap((sockets) => sockets ?? [])) socket.destroy();
    }
  }
}

class PlainAgent extends HttpAgent {
  constructor(
    agentOptions: AgentOptions,
    private readonly outgoing: OutgoingOptions,
  ) {
    super(agentOptions);
  }

  override createConnection(options: object, connected: Connected): Duplex | null | undefined {
    return connect(options, connected, this.outgoing, {
      secure: false,
      open: (checked) => super.createConnection(checked, connected),
    });
  }
}

class TlsAgent extends HttpsAgent {
  constructor(
    agentOptions: AgentOptions,
    private readonly outgoing: OutgoingOptions,
  ) {
    super(agentOptions);
  }

  override createConnection(options: object, connected: Connected): Duplex | null | undefined {
    return connect(options, connected, this.outgoing, {
      secure: true,
      open: (checked) => super.createConnection(checked, connected),
    });
  }
}

interface Opening {
  readonly secure: boolean;
  readonly open: (options: object) => Duplex | null | undefined;
}

function connect(
  options: object,
  connected: Connected,
  { allowed, connectMs = CONNECT_MS }: OutgoingOptions,
  { secure, open }: Opening,
): Duplex | null | undefined {
  const host = (options as TcpNetConnectOpts).host ?? 'localhost';
  if (!allowed) return limit(open(options) as Socket, connectMs, secure);
  const mayReach = (address: string): boolean => allowed.allows({ host, address, secure });
  // A literal address is not looked up.
  if (isIP(host) !== 0 && !mayReach(host)) {
    process.nextTick(() => connected(addressRefused(host), undefined as unknown as Duplex));
    return undefined;
  }
  return limit(open({ ...options, lookup: checkedLookup(mayReach) }) as Socket, connectMs, secure);
}

const checkedLookup =
  (mayReach: (address: string) => boolean) =>
  (host: string, options: LookupOptions, found: Found): void => {
    lookup(host, { ...options, all: true }, (error, addresses) => {
      if (error) return found(error, []);
      const [first] = addresses;
      if (!first || !addresses.every(({ address }) => mayReach(address))) return found(addressRefused(host), []);
      return options.all ? found(null, addresses) : found(null, first.address, first.family);
    });
  };

/** Node only tells of a silent socket; this ends it. */
function limit(socket: Socket, connectMs: number, secure: boolean): Socket {
  const timer = setTimeout(() => socket.destroy(timedOut('The connection took too long to stand')), connectMs);
  const stop = (): void => clearTimeout(timer);
  socket.once(secure ? 'secureConnect' : 'connect', stop).once('close', stop);
  socket.on('timeout', () => socket.destroy(timedOut('The connection was silent for too long')));
  return socket;
}

const timedOut = (message: string): Error => Object.assign(new Error(message), { code: 'ETIMEDOUT' });
const addressRefused = (host: string): Error =>
  Object.assign(new Error(`${host} is not a public address`), { code: ADDRESS_REFUSED });
