import { createHash, timingSafeEqual } from 'node:crypto';
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { MetricsConfig } from '#infra/config/config';
import { Logger } from '#infra/logging/logger';
import { Metrics } from './metrics';

/** Answers `GET /metrics`. It needs no router, since it may stand on a port of its own. */
@Injectable()
export class MetricsEndpoint {
  constructor(
    private readonly metrics: Metrics,
    private readonly config: MetricsConfig,
    private readonly logger: Logger,
  ) {}

  /** With METRICS_TOKEN, only to whoever has it. */
  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!this.admits(request.headers.authorization)) {
      response.writeHead(401, { 'WWW-Authenticate': 'Bearer realm="agate metrics"' }).end();
      return;
    }
    try {
      const text = await this.metrics.scrape();
      response.writeHead(200, { 'Content-Type': this.metrics.contentType, 'Cache-Control': 'no-store' }).end(text);
    } catch (error) {
      this.logger.error({ err: error }, 'metrics cannot be read');
      response.writeHead(500).end();
    }
  }

  private admits(authorization = ''): boolean {
    const { token } = this.config;
    return token === undefined || timingSafeEqual(digestOf(`Bearer ${token}`), digestOf(authorization));
  }
}

/** Of one length, whatever was sent: comparing takes the same time. */
const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();
