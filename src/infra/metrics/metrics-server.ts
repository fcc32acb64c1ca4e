import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { StartupError } from '#kernel/errors/startup-error';
import { HttpConfig, MetricsConfig } from '#infra/config/config';
import { Logger } from '#infra/logging/logger';
import { Metrics } from './metrics';

/** Serves `GET /metrics`, without a router, because it may run on a port of its own. */
@Injectable()
export class MetricsEndpoint {
  constructor(
    private readonly metrics: Metrics,
    private readonly config: MetricsConfig,
    private readonly logger: Logger,
  ) {}

  /** Responds with the metrics, or with 401 when METRICS_TOKEN is set and the request does not carry it. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!this.isAuthorized(request.headers.authorization)) {
      response.writeHead(401, { 'WWW-Authenticate': 'Bearer realm="agate metrics"' }).end();
      return;
    }
    try {
      const text = await this.metrics.scrape();
      response.writeHead(200, { 'Content-Type': this.metrics.contentType, 'Cache-Control': 'no-store' }).end(text);
    } catch (error) {
      this.logger.error({ err: error }, 'The metrics cannot be read');
      response.writeHead(500).end();
    }
  }

  private isAuthorized(authorization = ''): boolean {
    const { token } = this.config;
    return token === undefined || timingSafeEqual(digestOf(`Bearer ${token}`), digestOf(authorization));
  }
}

/** Digests have equal lengths, so the comparison takes constant time. */
const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Serves `GET /metrics` on METRICS_PORT when it is set. Workers, which have no other port, do so too. */
@Injectable()
export class MetricsServer implements OnApplicationShutdown {
  private server: Server | undefined;

  constructor(
    private readonly endpoint: MetricsEndpoint,
    private readonly config: MetricsConfig,
    private readonly http: HttpConfig,
  ) {}

  /** @returns the port; undefined without METRICS_PORT. @throws StartupError when the port is in use. */
  async listen(): Promise<number | undefined> {
    const { port } = this.config;
    if (port === undefined) return undefined;
    this.server = createServer((request, response) => {
      if (request.method === 'GET' && request.url?.split('?')[0] === '/metrics')
        void this.endpoint.handle(request, response);
      else response.writeHead(404).end();
    });
    try {
      await once(this.server.listen(port, this.http.host), 'listening');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
      throw new StartupError(`Port ${port} is in use. Choose another METRICS_PORT.`);
    }
    return (this.server.address() as AddressInfo).port;
  }

  /** Last step of the shutdown, so that the shutdown itself can be monitored. */
  onApplicationShutdown(): void {
    this.server?.close();
    this.server?.closeAllConnections();
  }
}
