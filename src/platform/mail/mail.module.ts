import { join } from 'node:path';
import { Global, Module } from '@nestjs/common';
import { MailConfig, RuntimeConfig } from '#platform/config/config';
import { Logger } from '#platform/logging/logger';
import { FileMailer } from './file-mailer';
import { MailOutbox } from './mail-outbox';
import { parseMailAddress } from './mail-message';
import { Mailer } from './mailer';
import { SmtpMailer } from './smtp-mailer';

/** Mail: modules use `MailOutbox`; how it leaves is the configuration's choice. */
@Global()
@Module({
  providers: [
    MailOutbox,
    {
      provide: Mailer,
      inject: [MailConfig, RuntimeConfig, Logger],
      useFactory: ({ url, from }: MailConfig, { dataDirectory, environment }: RuntimeConfig, logger: Logger): Mailer =>
        url
          ? new SmtpMailer(url, parseMailAddress(from))
          : new FileMailer(join(dataDirectory, 'mail'), parseMailAddress(from), logger, {
              logsLinks: environment !== 'production',
            }),
    },
  ],
  exports: [MailOutbox],
})
export class MailModule {}
