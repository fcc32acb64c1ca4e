import { join } from 'node:path';
import { Global, Module } from '@nestjs/common';
import { MailConfig, RuntimeConfig } from '#infra/config/config';
import { Logger } from '#infra/logging/logger';
import { FileMailer } from './mailers/file-mailer';
import { MailOutbox } from './mail-outbox';
import { parseMailAddress } from './mail-message';
import { Mailer } from './mailers/mailer';
import { SmtpMailer } from './mailers/smtp-mailer';

/** Modules send mail through `MailOutbox`. `MAIL_URL` decides whether it goes to an SMTP server or to files. */
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
