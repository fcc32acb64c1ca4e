import { mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { type Logger } from '#infra/logging/logger';
import { composeMail } from '../compose-mail';
import { type MailAddress, type MailMessage } from '../mail-message';
import { Mailer } from './mailer';

/** Readable by the service's own user only: mails hold links that open doors. */
const PRIVATE_DIRECTORY = 0o700;
const PRIVATE_FILE = 0o600;
const FIRST_LINK = /https?:\/\/[^\s<>"]+/;

/**
 * For machines without a mail server: each mail is a file that any mail program opens, named by time and id. Where somebody tries
 * things out, its first link is a line of the log; in production the log has other readers than the mail, and is told of the file
 * alone. A mail sent again replaces its file.
 */
export class FileMailer extends Mailer {
  private readonly transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });

  constructor(
    private readonly directory: string,
    private readonly from: MailAddress,
    private readonly logger: Logger,
    private readonly options: { readonly logsLinks: boolean },
  ) {
    super();
  }

  async send(message: MailMessage): Promise<void> {
    const composed = composeMail(message, this.from);
    const { message: eml } = await this.transport.sendMail(composed);
    const name = `${message.queuedAt.toISOString().replace(/[-:.]/g, '')}-${message.id}`;
    const file = join(this.directory, `${name}.eml`);
    await mkdir(this.directory, { recursive: true, mode: PRIVATE_DIRECTORY });
    await this.writeWhole(file, eml as Buffer);
    if (!this.options.logsLinks)
      return this.logger.warn({ file }, 'A mail was not sent, but is a file: MAIL_URL is not set');
    const link = FIRST_LINK.exec(message.text)?.[0];
    this.logger.info({ file, to: message.to.address, subject: composed.subject, link }, 'Mail');
  }

  /** There is never half a mail under its name, not even after a power cut. */
  private async writeWhole(file: string, content: Buffer): Promise<void> {
    const unfinished = `${file}.part`;
    const handle = await open(unfinished, 'w', PRIVATE_FILE);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(unfinished, file);
  }
}
