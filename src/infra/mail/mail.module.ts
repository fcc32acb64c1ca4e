import { join } from 'node:path';
import { Global, Module } from '@nestjs/common';
import { MailConfig, RuntimeConfig } from '#infra/config/config';
import { Logger } from '#infra/logging/logger';
import { Metrics } from '#infra/metrics/metrics';
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
      inject: [MailConfig, RuntimeConfig, Logger, Metrics],
      useFactory: (
        { url, from }: MailConfig,
        { dataDirectory, environment }: RuntimeConfig,
        logger: Logger,
        metrics: Metrics,
      ): Mailer =>
        url
          ? new SmtpMailer(url, parseMailAddress(from), reportOutage(logger, metrics))
          : new FileMailer(join(dataDirectory, 'mail'), parseMailAddress(from), logger, {
              logsLinks: environment !== 'production',
            }),
    },
  ],
  exports: [MailOutbox],
})
export class MailModule {}

const reportOutage =
  (logger: Logger, metrics: Metrics) =>
  (isDown: boolean): void => {
    metrics.change('agate_circuits_open', { dependency: 'mail' }, isDown ? 1 : -1);
    logger.warn(
      {},
      isDown ? 'The mail server does not respond; mails are rejected for now' : 'The mail server responds again',
    );
  };
