import { mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { type Logger } from '#infra/logging/logger';
import { composeMail, type MailAddress, type MailMessage } from '../mail-message';
import { Mailer } from './mailer';

/** Names begin with the time of the mail: `20261120T180300123Z-<id>.eml`, also with `.part` while a mail is written. */
export const MAIL_FILE = /^\d{8}T\d{9}Z-[0-9a-f-]{36}\.eml(\.part)?$/;

/** The time in the name of a mail's file, which sorts like the time. */
export const fileTimeOf = (time: Date): string => time.toISOString().replace(/[-:.]/g, '');

/** Only the user of the service may read mails, because they contain secret links. */
const PRIVATE_DIRECTORY = 0o700;
const PRIVATE_FILE = 0o600;
const FIRST_LINK = /https?:\/\/[^\s<>"]+/;

/**
 * Writes each mail to a file instead of sending it, for installations without a mail server. Every mail program can open the
 * file, which is named by time and id; sending a mail again replaces it. With `logsLinks` the first link of the mail is
 * logged; without, only the path of the file, because in production the log has readers who must not see the links.
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
    const name = `${fileTimeOf(message.queuedAt)}-${message.id}`;
    const file = join(this.directory, `${name}.eml`);
    await mkdir(this.directory, { recursive: true, mode: PRIVATE_DIRECTORY });
    await this.writeAtomically(file, eml as Buffer);
    if (!this.options.logsLinks)
      return this.logger.warn({ file }, 'MAIL_URL is not set. A mail was written to a file and not sent');
    const link = FIRST_LINK.exec(message.text)?.[0];
    this.logger.info({ file, to: message.to.address, subject: composed.subject, link }, 'A mail was written to a file');
  }

  /** The file is complete as soon as it exists, even after a power failure. */
  private async writeAtomically(file: string, content: Buffer): Promise<void> {
    const temporary = `${file}.part`;
    const handle = await open(temporary, 'w', PRIVATE_FILE);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  }
}
