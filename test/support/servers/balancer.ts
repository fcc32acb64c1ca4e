import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';

interface Upstream {
  readonly port: number;
  /** Keeps connections, as nginx and Caddy do. */
  readonly agent: Agent;
  /** When the last check began that said "ready"; minus infinity after one that did not. */
  readyAt: number;
}

const CHECK_EVERY_MS = 150;

/**
 * A balancer in front of several processes, as strict as one can be: it asks `/api/v1/ready`, gives requests in turn to those that
 * were ready a moment ago, lets what is under way end, and never sends anything twice. A request that finds nobody waits.
 *
 * Ready "a moment ago" is a check that *began* less than `freshMs` ago. With a drain longer than that, the test's own
 * slowness cannot send a request to a listener that has closed.
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
    server.on('request', (incoming, answer) => void this.forward(incoming, answer));
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

  /** Resolves when the process at a port is given requests. */
  async gives(port: number): Promise<void> {
    while (!this.fresh().some((upstream) => upstream.port === port)) await pause(CHECK_EVERY_MS);
  }

  private fresh(): Upstream[] {
    return this.upstreams.filter(({ readyAt }) => performance.now() - readyAt < this.freshMs);
  }

  private async watch(upstream: Upstream): Promise<void> {
    while (!this.stopped) {
      const beganAt = performance.now();
      upstream.readyAt = (await isReady(upstream.port)) ? beganAt : -Infinity;
      if (this.fresh().includes(upstream)) for (const go of this.waiting.splice(0)) go();
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

  private async forward(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    const { port, agent } = await this.next();
    const { method, url: path } = incoming;
    const outgoing = request({ host: '127.0.0.1', port, agent, method, path, headers: passedOn(incoming) });
    outgoing.on('response', (response) => {
      answer.writeHead(response.statusCode!, passedOn(response));
      pipeline(response, answer, () => undefined);
    });
    outgoing.on('error', (error) => {
      if (answer.headersSent) answer.destroy();
      else answer.writeHead(502).end(`${port}: ${error.message}`);
    });
    pipeline(incoming, outgoing, () => undefined);
  }
}

const passedOn = ({ headers: { connection: _hopByHop, ...headers } }: IncomingMessage) => headers;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const isReady = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const path = '/api/v1/ready';
    get({ host: '127.0.0.1', port, path, agent: false }, (response) => {
      response.resume().once('close', () => resolve(response.statusCode === 200));
    }).on('error', () => resolve(false));
  });
