import { NestFactory } from '@nestjs/core';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { SystemClock } from '#infra/clock/system-clock';
import { loadConfig } from '#infra/config/load-config';
import { Secrets } from '#infra/crypto/secrets';
import { createLogger } from '#infra/logging/logger';
import { AppModule } from '#app/app.module';
import { setUpApp } from '#app/app.setup';

/** The application with default configuration, in preview mode: it opens no connections, starts nothing and writes nothing. */
export async function previewApp(): Promise<NestExpressApplication> {
  const config = loadConfig({ NODE_ENV: 'test', LOG_LEVEL: 'silent' });
  const secrets = new Secrets([], [{ id: 'none', secret: Buffer.alloc(32) }], Buffer.alloc(32));
  const parts = { config, secrets, logger: createLogger(config), clock: new SystemClock(), databaseUrl: '' };
  const app = await NestFactory.create<NestExpressApplication>(AppModule.forRoot(parts), {
    preview: true,
    abortOnError: false,
    bodyParser: false,
    logger: false,
  });
  setUpApp(app);
  return app;
}
