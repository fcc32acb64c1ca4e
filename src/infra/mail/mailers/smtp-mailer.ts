import { type OnApplicationShutdown } from '@nestjs/common';
import { createTransport, type Transporter } from 'nodemailer';
import { CircuitBreaker } from '#infra/network/circuit-breaker';
import { composeMail, type MailAddress, type MailMessage } from '../mail-message';
import { Mailer } from './mailer';

const CONNECTION_TIMEOUT_MS = 10_000;
const IDLE_TIMEOUT_MS = 30_000;

/** Codes of nodemailer and of the operating system for a server that cannot be reached or does not respond. */
const OUTAGES = new Set(['ECONNECTION', 'ECONNREFUSED', 'ECONNRESET', 'EDNS', 'ESOCKET', 'ETIMEDOUT', 'ETLS']);
/** RFC 5321: the service is not available and closes the connection. */
const NOT_AVAILABLE = 421;

/** Sends mails to an SMTP server through a small pool of connections. While the server does not respond, mails are rejected at once. */
export class SmtpMailer extends Mailer implements OnApplicationShutdown {
  private readonly transport: Transporter;
  private readonly circuit: CircuitBreaker;

  /**
   * @param url `smtp://user:password@host:587?requireTLS=true` or `smtps://…`; its query sets options of nodemailer.
   * @param onOutage called when the server stops responding, and when it responds again.
   */
  constructor(
    url: string,
    private readonly from: MailAddress,
    onOutage: (isDown: boolean) => void = () => undefined,
  ) {
    super();
    this.circuit = new CircuitBreaker({ server: 'The mail server', isOutage, onChange: onOutage });
    this.transport = createTransport({
      url,
      pool: true,
      maxConnections: 3,
      connectionTimeout: CONNECTION_TIMEOUT_MS,
      greetingTimeout: CONNECTION_TIMEOUT_MS,
      socketTimeout: IDLE_TIMEOUT_MS,
    });
  }

  async send(message: MailMessage): Promise<void> {
    const mail = composeMail(message, this.from);
    try {
      await this.circuit.run(() => this.transport.sendMail(mail));
    } catch (error) {
      throw withoutAddress(error, message.to.address);
    }
  }

  /** Runs after the job worker has stopped. */
  onApplicationShutdown(): void {
    this.transport.close();
  }
}

function isOutage(error: unknown): boolean {
  const { code, responseCode } = error as { readonly code?: string; readonly responseCode?: number };
  return OUTAGES.has(code ?? '') || responseCode === NOT_AVAILABLE;
}

/**
 * Removes the recipient's address from an error. Mail servers repeat it in their messages, and errors are written to the log
 * and to the failed job, which an erasure of personal data does not reach.
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
