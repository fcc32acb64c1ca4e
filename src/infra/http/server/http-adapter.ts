import { createServer } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import { type Express, type Response } from 'express';
import { type RuntimeConfig } from '#infra/config/config';
import { replyWithJson } from '#infra/fast-paths/express/json-reply';
import { messageClasses } from '#infra/fast-paths/express/message-classes';

/** The interval of Node's checks for incomplete headers. Its default of half a minute would nearly double the lifetime of connections. */
const CHECK_MS = 5_000;

/** An ExpressAdapter with a server of its own. Options of `NestFactory.create` for the server have no effect. */
export class HttpAdapter extends ExpressAdapter {
  constructor(private readonly config: Pick<RuntimeConfig, 'fastPaths'>) {
    super();
  }

  override initHttpServer(): void {
    const express: Express = this.getInstance();
    const classes = this.isFast ? messageClasses(express) : {};
    this.httpServer = createServer({ ...classes, connectionsCheckingInterval: CHECK_MS }, express);
  }

  override reply(response: Response, body: unknown, statusCode?: number): unknown {
    if (statusCode !== undefined) response.status(statusCode);
    return (this.isFast && replyWithJson(response, body)) || super.reply(response, body);
  }

  private get isFast(): boolean {
    return this.config.fastPaths === 'on';
  }
}
