import { type OnApplicationShutdown } from '@nestjs/common';
import { createTransport, type Transporter } from 'nodemailer';
import { composeMail } from '../compose-mail';
import { type MailAddress, type MailMessage } from '../mail-message';
import { Mailer } from './mailer';

const CONNECTION_TIMEOUT_MS = 10_000;
const SILENCE_TIMEOUT_MS = 30_000;

/** Hands mails to an SMTP server over a few kept connections. */
export class SmtpMailer extends Mailer implements OnApplicationShutdown {
  private readonly transport: Transporter;

  /** @param url `smtp://user:password@host:587?requireTLS=true` or `smtps://…`; its query takes the library's options. */
  constructor(
    url: string,
    private readonly from: MailAddress,
  ) {
    super();
    this.transport = createTransport({
      url,
      pool: true,
      maxConnections: 3,
      connectionTimeout: CONNECTION_TIMEOUT_MS,
      greetingTimeout: CONNECTION_TIMEOUT_MS,
      socketTimeout: SILENCE_TIMEOUT_MS,
    });
  }

  async send(message: MailMessage): Promise<void> {
    const mail = composeMail(message, this.from);
    try {
      await this.transport.sendMail(mail);
    } catch (error) {
      throw withoutAddress(error, message.to.address);
    }
  }

  /** After the job worker, which stops earlier. */
  onApplicationShutdown(): void {
    this.transport.close();
  }
}

/**
 * What went wrong, but not for whom: mail servers repeat the address in what they say, and errors are logged and kept with the
 * failed job, where nobody would erase it.
 */
function withoutAddress(error: unknown, address: string): unknown {
  if (!(error instanceof Error)) return error;
  const fields = error as unknown as Record<string, unknown>;
  const pattern = new RegExp(address.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'gi');
  for (const name of Object.getOwnPropertyNames(error)) {
    const value = fields[name];
    if (typeof value === 'string') fields[name] = value.replace(pattern, '<recipient>');
    else if (typeof value === 'object') delete fields[name];
  }
  return error;
}
