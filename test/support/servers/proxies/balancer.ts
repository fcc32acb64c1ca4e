import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';
import { until } from '../../until';

interface Upstream {
  readonly port: number;
  /** Keeps connections alive, as nginx and Caddy do. */
  readonly agent: Agent;
  /** When the last successful readiness check started; minus infinity when the last check failed. */
  readyAt: number;
}

const CHECK_EVERY_MS = 150;

/**
 * A strict round-robin load balancer. It polls `/api/v1/ready`, forwards requests to the processes that are ready, lets requests in flight
 * finish, and never retries. A request waits while no process is ready.
 *
 * A process is ready when its last check succeeded and *started* less than `freshMs` ago. When a process drains for longer than that, even
 * a slow test machine cannot send a request to a closed listener.
 */
export class Balancer {
  private readonly upstreams: readonly Upstream[];
  private waiting: (() => void)[] = [];
  private turn = 0;
  private stopped = false;

  private constructor(
    private readonly server: Server,
    ports: readonly number[],
    private readonly freshMs: number,
  ) {
    this.upstreams = ports.map((port) => ({ port, agent: new Agent({ keepAlive: true }), readyAt: -Infinity }));
    server.on('request', (incoming, response) => void this.forward(incoming, response));
    for (const upstream of this.upstreams) void this.watch(upstream);
  }

  static async start(ports: readonly number[], freshMs: number): Promise<Balancer> {
    const server = createServer({ requestTimeout: 0, keepAliveTimeout: 600_000 }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Balancer(server, ports, freshMs);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.stopped = true;
    for (const { agent } of this.upstreams) agent.destroy();
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  /** Resolves when the balancer forwards requests to the process at `port`. */
  async untilReady(port: number): Promise<void> {
    await until(() => this.fresh().some((upstream) => upstream.port === port));
  }

  private fresh(): Upstream[] {
    return this.upstreams.filter(({ readyAt }) => performance.now() - readyAt < this.freshMs);
  }

  private async watch(upstream: Upstream): Promise<void> {
    while (!this.stopped) {
      const startedAt = performance.now();
      upstream.readyAt = (await isReady(upstream.port)) ? startedAt : -Infinity;
      if (this.fresh().includes(upstream)) for (const resume of this.waiting.splice(0)) resume();
      await pause(CHECK_EVERY_MS);
    }
  }

  private async next(): Promise<Upstream> {
    for (;;) {
      const fresh = this.fresh();
      const chosen = fresh[this.turn++ % fresh.length];
      if (chosen) return chosen;
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
  }

  private async forward(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { port, agent } = await this.next();
    const { method, url: path } = incoming;
    const outgoing = request({ host: '127.0.0.1', port, agent, method, path, headers: endToEndHeaders(incoming) });
    outgoing.on('response', (upstream) => {
      response.writeHead(upstream.statusCode!, endToEndHeaders(upstream));
      pipeline(upstream, response, () => undefined);
    });
    outgoing.on('error', (error) => {
      if (response.headersSent) response.destroy();
      else response.writeHead(502).end(`${port}: ${error.message}`);
    });
    pipeline(incoming, outgoing, () => undefined);
  }
}

const endToEndHeaders = ({ headers: { connection: _hopByHop, ...headers } }: IncomingMessage) => headers;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const isReady = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const path = '/api/v1/ready';
    get({ host: '127.0.0.1', port, path, agent: false }, (response) => {
      response.resume().once('close', () => resolve(response.statusCode === 200));
    }).on('error', () => resolve(false));
  });
