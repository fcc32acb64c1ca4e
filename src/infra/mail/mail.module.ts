import { join } from 'node:path';
import { Global, Module, type OnModuleInit } from '@nestjs/common';
import { MailConfig, RuntimeConfig } from '#infra/config/config';
import { Logger } from '#infra/logging/logger';
import { Metrics } from '#infra/metrics/metrics';
import { MailFilesService, FileMailer } from './mailers/file-mailer';
import { MailOutbox } from './mail-outbox';
import { parseMailAddress } from './mail-message';
import { Mailer } from './mailers/mailer';
import { SmtpMailer } from './mailers/smtp-mailer';

/** Modules send mail through `MailOutbox`. `MAIL_URL` decides whether it goes to an SMTP server or to files. */
@Global()
@Module({
  providers: [
    MailFilesService,
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
export class MailModule implements OnModuleInit {
  constructor(
    private readonly mail: MailConfig,
    private readonly runtime: RuntimeConfig,
    private readonly logger: Logger,
  ) {}

  /** The decision about mails in files: docs/decisions/0032-mails-in-files-in-production.md. */
  onModuleInit(): void {
    if (this.mail.url || this.runtime.environment !== 'production') return;
    this.logger.warn(
      { directory: join(this.runtime.dataDirectory, 'mail') },
      'MAIL_URL is not set: mails are files and reach no recipient, and links that reset passwords lie in these files. ' +
        'Set MAIL_URL to your mail server',
    );
  }
}

const reportOutage =
  (logger: Logger, metrics: Metrics) =>
  (isDown: boolean): void => {
    metrics.change('agate_circuits_open', { dependency: 'mail' }, isDown ? 1 : -1);
    logger.warn(
      {},
      isDown ? 'The mail server does not respond; mails are rejected for now' : 'The mail server responds again',
    );
  };
