import { join } from 'node:path';
import { Global, Module, type OnModuleInit } from '@nestjs/common';
import { HttpConfig, MailConfig, RuntimeConfig } from '#infra/config/config';
import { Logger } from '#infra/logging/logger';
import { Metrics } from '#infra/metrics/metrics';
import { parseMailAddress } from './mail-message';
import { MailOutbox } from './mail-outbox';
import { FileMailer } from './mailers/file-mailer';
import { MailFilesService } from './mailers/mail-files.service';
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
      inject: [MailConfig, RuntimeConfig, HttpConfig, Logger, Metrics],
      useFactory: (
        { url, from }: MailConfig,
        { dataDirectory, environment }: RuntimeConfig,
        { baseUrl }: HttpConfig,
        logger: Logger,
        metrics: Metrics,
      ): Mailer => {
        const isProduction = environment === 'production';
        const sender = parseMailAddress(from);
        return url
          ? new SmtpMailer({ url, baseUrl, isProduction, from: sender, onOutage: reportOutage(logger, metrics) })
          : new FileMailer(join(dataDirectory, 'mail'), sender, logger, { logsLinks: !isProduction });
      },
    },
  ],
  exports: [MailOutbox],
})
export class MailModule implements OnModuleInit {
  constructor(
    private readonly mail: MailConfig,
    private readonly runtime: RuntimeConfig,
    private readonly mailer: Mailer,
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

  /** Tries the mail server once, in the background: the start does not wait for it, and the log says what is wrong. */
  tryServer(): void {
    if (!(this.mailer instanceof SmtpMailer)) return;
    this.mailer.verify().catch((error: unknown) => {
      this.logger.warn(
        { reason: error instanceof Error ? error.message : String(error) },
        'The mail server cannot be used; mails wait and are retried',
      );
    });
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
