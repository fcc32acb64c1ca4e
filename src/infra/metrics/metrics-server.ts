import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { StartupError } from '#kernel/errors/startup-error';
import { HttpConfig, MetricsConfig } from '#infra/config/config';
import { MetricsEndpoint } from './metrics-endpoint';

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
