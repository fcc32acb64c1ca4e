import { createHash, timingSafeEqual } from 'node:crypto';
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { MetricsConfig } from '#infra/config/config';
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
