import { Transform } from 'node:stream';
import { type OnApplicationShutdown } from '@nestjs/common';
import { createTransport, type SendMailOptions, type Transporter } from 'nodemailer';
import { JOB_WORKER_DEFAULTS } from '#infra/jobs/job-worker';
import { CircuitBreaker } from '#infra/network/circuit-breaker';
import { composeMail, type MailAddress, type MailMessage } from '../mail-message';
import { Mailer, MailRefusedError, UnconfirmedMailError } from './mailer';
import { adviceOn, smtpOptions, type SmtpServerOptions } from './smtp-options';
import { refusalOf, type SmtpError } from './smtp-replies';

/** Timeouts for the phases of an attempt. */
export interface SmtpTimeouts {
  /** Name lookup, connection, greeting and TLS. */
  readonly connectMs: number;
  /** Login and commands until the whole mail was handed over. */
  readonly commandsMs: number;
  /** The server's response to the whole mail. */
  readonly confirmationMs: number;
}

/**
 * RFC 5321, section 4.5.3.2: five minutes for commands, ten for the response after the final dot, in which servers scan the mail. A
 * shorter wait would deliver mails twice.
 */
export const SMTP_TIMEOUTS: SmtpTimeouts = { connectMs: 20_000, commandsMs: 300_000, confirmationMs: 600_000 };

/** Codes of nodemailer and of the operating system for a server that cannot be reached or does not respond. */
const OUTAGES = new Set(['ECONNECTION', 'ECONNREFUSED', 'ECONNRESET', 'EDNS', 'ESOCKET', 'ETIMEDOUT', 'ETLS']);
/** RFC 5321: the service is not available and closes the connection. */
const NOT_AVAILABLE = 421;

export interface SmtpMailerOptions extends SmtpServerOptions {
  readonly from: MailAddress;
  /** Called when the server stops responding, and when it responds again. */
  readonly onOutage?: (isDown: boolean) => void;
  readonly timeouts?: SmtpTimeouts;
}

/** Sends mails to an SMTP server through a small pool of connections. While the server does not respond, mails are rejected immediately. */
export class SmtpMailer extends Mailer implements OnApplicationShutdown {
  private readonly transport: Transporter;
  private readonly circuit: CircuitBreaker;
  private readonly from: MailAddress;
  private readonly timeouts: SmtpTimeouts;

  constructor({ from, onOutage = () => undefined, timeouts = SMTP_TIMEOUTS, ...server }: SmtpMailerOptions) {
    super();
    this.from = from;
    this.timeouts = timeouts;
    this.circuit = new CircuitBreaker({ server: 'The mail server', isOutage, onChange: onOutage });
    this.transport = createTransport({
      pool: true,
      maxConnections: JOB_WORKER_DEFAULTS.slots.mail,
      connectionTimeout: timeouts.connectMs,
      greetingTimeout: timeouts.connectMs,
      socketTimeout: Math.max(timeouts.commandsMs, timeouts.confirmationMs),
      ...smtpOptions(server),
    });
    this.transport.use('stream', (mail, done) => {
      (mail.data as AttemptOptions).attempt?.watch(mail.message);
      done();
    });
  }

  async send(message: MailMessage, signal?: AbortSignal): Promise<void> {
    const mail = composeMail(message, this.from);
    try {
      await this.circuit.run(() => new SmtpAttempt(this.timeouts, signal).send(this.transport, mail));
    } catch (error) {
      throw withoutAddress(error, message.to.address);
    }
  }

  /** Connects and logs in, and sends nothing. @throws an error that tells the operator what to do, as far as it is known. */
  async verify(): Promise<void> {
    try {
      await this.transport.verify();
    } catch (error) {
      throw explained(error as Error);
    }
  }

  /** Runs after the job worker has stopped. */
  onApplicationShutdown(): void {
    this.transport.close();
  }
}

interface AttemptOptions extends SendMailOptions {
  readonly attempt?: SmtpAttempt;
}

/** The message of nodemailer. Its streams are created when a connection is ready for it. */
interface StreamedMessage {
  transform(factory: () => Transform): void;
}

/** One attempt to send a mail. It knows whether the server may have the whole mail when the attempt fails. */
class SmtpAttempt {
  private readonly timeout = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private isHandedOver = false;

  constructor(
    private readonly timeouts: SmtpTimeouts,
    private readonly stop: AbortSignal | undefined,
  ) {}

  /** @throws MailRefusedError, UnconfirmedMailError or the error of the connection. */
  async send(transport: Transporter, mail: SendMailOptions): Promise<void> {
    const { signal } = this.timeout;
    this.expireAfter(this.timeouts.connectMs + this.timeouts.commandsMs);
    const options: AttemptOptions = {
      ...mail,
      attempt: this,
      signal: this.stop ? AbortSignal.any([signal, this.stop]) : signal,
    };
    try {
      await transport.sendMail(options);
    } catch (error) {
      throw this.failureOf(error as Error & SmtpError);
    } finally {
      clearTimeout(this.timer);
    }
  }

  /**
   * Notices when the last byte of the message was read, which is after the server accepted DATA. The stream holds one chunk at a time, so
   * that it does not end while bytes wait in it.
   */
  watch(message: StreamedMessage): void {
    message.transform(
      () =>
        new Transform({
          readableHighWaterMark: 1,
          transform: (chunk, _encoding, done) => done(null, chunk),
          flush: (done) => {
            this.isHandedOver = true;
            this.expireAfter(this.timeouts.confirmationMs);
            done();
          },
        }),
    );
  }

  private expireAfter(milliseconds: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.timeout.abort(), milliseconds);
  }

  private failureOf(error: Error & SmtpError): Error {
    const isStopping = this.stop?.aborted === true;
    if (this.isHandedOver && error.responseCode === undefined)
      return new UnconfirmedMailError(!isStopping, isStopping ? 'the service stops' : reasonOf(error));
    if (this.timeout.signal.aborted)
      return Object.assign(new Error('The mail server did not respond in time'), { code: 'ETIMEDOUT' });
    return refusalOf(error) ?? explained(error);
  }
}

const reasonOf = ({ name, message }: Error): string => (name === 'AbortError' ? 'it did not respond in time' : message);

/** Puts what the operator can do before the message of the error. */
function explained<E extends Error>(error: E): E {
  const advice = adviceOn(error);
  if (advice !== null) error.message = `${advice}. (${error.message})`;
  return error;
}

function isOutage(error: unknown): boolean {
  if (error instanceof MailRefusedError) return false;
  if (error instanceof UnconfirmedMailError) return error.isOutage;
  const { code, responseCode } = error as SmtpError;
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
