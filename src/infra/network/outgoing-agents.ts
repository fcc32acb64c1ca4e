import { lookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { Agent as HttpAgent, type AgentOptions } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { isIP, type Socket, type TcpNetConnectOpts } from 'node:net';
import { type Duplex } from 'node:stream';
import { type AllowedHosts } from './allowed-hosts';

export interface OutgoingOptions {
  /** Destinations that are allowed. Absent: all, for hosts that the operator configured. */
  readonly allowed?: AllowedHosts;
  /** Timeout for establishing a connection, including TLS. */
  readonly connectMs?: number;
  /** Timeout of a connection on which nothing is sent or received. */
  readonly idleMs?: number;
}

const CONNECT_MS = 3_000;
/** Short enough that a client gets its response within half a minute, also when failed attempts are repeated. */
const IDLE_MS = 20_000;
/** Maximum number of connections per host. */
const MAX_SOCKETS = 64;

/**
 * Error code of a connection that was idle for too long. No system error uses it, and the SDKs of the stores do not retry it: each retry
 * would wait as long as the first attempt.
 */
export const SILENT = 'ESILENT';

/** Error code of a destination that is not allowed. No system error uses it. */
const ADDRESS_REFUSED = 'EADDRREFUSED';

type OnConnected = (error: Error | null, socket: Duplex) => void;
type OnLookup = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void;

/**
 * HTTP agents for requests to object stores. They keep connections alive, limit their number, and destroy idle ones.
 *
 * With `allowed`, each name is resolved once, and the resolved addresses are both checked and connected to, so that DNS
 * rebinding cannot pass the check with a public address and connect to a private one. If any resolved address is not
 * allowed, the connection fails.
 */
export class OutgoingAgents {
  readonly http: HttpAgent;
  readonly https: HttpsAgent;

  constructor(options: OutgoingOptions = {}) {
    const agentOptions = { keepAlive: true, maxSockets: MAX_SOCKETS, timeout: options.idleMs ?? IDLE_MS };
    this.http = new PlainAgent(agentOptions, options);
    this.https = new TlsAgent(agentOptions, options);
  }

  /** Returns the agent for the URL's protocol. */
  agentFor(url: string): HttpAgent | HttpsAgent {
    return url.startsWith('https:') ? this.https : this.http;
  }

  /** Closes idle connections. Connections in use close when their request ends. */
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

  override createConnection(options: object, connected: OnConnected): Duplex | null | undefined {
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

  override createConnection(options: object, connected: OnConnected): Duplex | null | undefined {
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
  connected: OnConnected,
  { allowed, connectMs = CONNECT_MS }: OutgoingOptions,
  { secure, open }: Opening,
): Duplex | null | undefined {
  const host = (options as TcpNetConnectOpts).host ?? 'localhost';
  if (!allowed) return limit(open(options) as Socket, connectMs, secure);
  const mayReach = (address: string): boolean => allowed.allows({ host, address, secure });
  // Node does not look up a literal address, so it is checked here.
  if (isIP(host) !== 0 && !mayReach(host)) {
    process.nextTick(() => connected(addressRefused(host), undefined as unknown as Duplex));
    return undefined;
  }
  return limit(open({ ...options, lookup: checkedLookup(mayReach) }) as Socket, connectMs, secure);
}

const checkedLookup =
  (mayReach: (address: string) => boolean) =>
  (host: string, options: LookupOptions, found: OnLookup): void => {
    lookup(host, { ...options, all: true }, (error, addresses) => {
      if (error) return found(error, []);
      const [first] = addresses;
      if (!first || !addresses.every(({ address }) => mayReach(address))) return found(addressRefused(host), []);
      return options.all ? found(null, addresses) : found(null, first.address, first.family);
    });
  };

/**
 * Node reports an idle socket but does not close it. A socket that this service has paused is idle because the reader of the response is
 * slow, so it may be idle for twice the time.
 */
function limit(socket: Socket, connectMs: number, secure: boolean): Socket {
  const timer = setTimeout(
    () => socket.destroy(timedOut('The connection could not be established in time')),
    connectMs,
  );
  const stop = (): void => clearTimeout(timer);
  socket.once(secure ? 'secureConnect' : 'connect', stop).once('close', stop);
  let pausedAt: number | undefined;
  socket.on('timeout', () => {
    const isWaiting = socket.isPaused() && pausedAt !== socket.bytesRead;
    pausedAt = socket.bytesRead;
    if (isWaiting) socket.setTimeout(socket.timeout ?? IDLE_MS);
    else socket.destroy(Object.assign(new Error('The connection was idle for too long'), { code: SILENT }));
  });
  return socket;
}

const timedOut = (message: string): Error => Object.assign(new Error(message), { code: 'ETIMEDOUT' });
const addressRefused = (host: string): Error =>
  Object.assign(new Error(`${host} is not a public address`), { code: ADDRESS_REFUSED });
