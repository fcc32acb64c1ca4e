import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { newId } from '#kernel/ids';
import { Sealer } from '#infra/crypto/sealer';
import { defineJob } from '#infra/jobs/job-kind';
import { Jobs } from '#infra/jobs/jobs';
import { Metrics } from '#infra/metrics/metrics';
import { checkedMail, type MailDraft, type MailMessage } from './mail-message';
import { Mailer } from './mailers/mailer';

/** The last of fourteen attempts is about a day after the first. */
const MAIL_SEND = defineJob<SealedMail>('mail.send', { maxAttempts: 14, jobClass: 'mail' });

/**
 * A recipient with a row in the database. After the row is deleted, or after a tester has left, queued mails to the recipient are not sent.
 */
export interface MailRecipient {
  readonly kind: 'developer' | 'invitation' | 'tester';
  readonly id: string;
  /** The channel that a mail to a tester is about. Absent: the whole project. */
  readonly channelId?: string;
}

/** A queued mail in the database. It is encrypted because its links are secrets. */
interface SealedMail {
  readonly id: string;
  readonly recipient?: MailRecipient;
  /** In base64. */
  readonly sealed: string;
}

export interface QueueMailOptions {
  /** While a mail with this key is in the queue, other mails with the same key are dropped. */
  readonly key?: string;
  /** Earliest time of sending. By default at once. */
  readonly runAt?: Date;
  /** One of many mails. Other mails are sent first. */
  readonly bulk?: boolean;
  /** The mail is sent only if this recipient may still be mailed. */
  readonly recipient?: MailRecipient;
}

/** Whether the recipient still exists, and wants the mail. */
export type RecipientCheck = (ctx: RequestContext, recipient: MailRecipient) => Promise<boolean>;

/**
 * Queues mails in the caller's transaction. They are sent after the commit, by a job.
 *
 * A mail is delivered at least once. It is delivered twice only when the process or its connection fails after the mail
 * server has accepted the mail and before the job is deleted; SMTP cannot take part in a transaction, so the gap cannot be
 * closed. The duplicate has the same Message-ID, by which mail servers and mail programs drop it.
 */
@Injectable()
export class MailOutbox implements OnModuleInit {
  private readonly checks = new Map<MailRecipient['kind'], RecipientCheck>();

  constructor(
    private readonly jobs: Jobs,
    private readonly mailer: Mailer,
    private readonly sealer: Sealer,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    this.jobs.register(MAIL_SEND, (ctx, mail) => this.send(ctx, mail));
  }

  /** Registers the check for one kind of recipient. The module that owns the recipients calls this in `onModuleInit`. */
  sendOnlyWhile(kind: MailRecipient['kind'], check: RecipientCheck): void {
    this.checks.set(kind, check);
  }

  /** Queues a mail. @throws AppError invalid_input at once, not in the job, when an address or header is malformed. */
  async queue(ctx: RequestContext, draft: MailDraft, options: QueueMailOptions = {}): Promise<void> {
    const message = checkedMail({ ...draft, id: newId(), queuedAt: ctx.clock.now() });
    await this.jobs.enqueue(ctx, MAIL_SEND, this.seal(message, options.recipient), options);
  }

  private async send(ctx: RequestContext, mail: SealedMail): Promise<void> {
    const { recipient } = mail;
    const check = recipient && this.checks.get(recipient.kind);
    if (check && !(await check(ctx, recipient))) return;
    try {
      await this.mailer.send(this.open(mail));
    } catch (error) {
      this.metrics.count('agate_mails_failed_total', {});
      throw error;
    }
    this.metrics.count('agate_mails_sent_total', {});
  }

  private seal(message: MailMessage, recipient: MailRecipient | undefined): SealedMail {
    const plaintext = Buffer.from(JSON.stringify(message), 'utf8');
    const sealed = this.sealer.seal(plaintext, sealContext(message.id)).toString('base64');
    return { id: message.id, ...(recipient && { recipient }), sealed };
  }

  private open({ id, sealed }: SealedMail): MailMessage {
    const plaintext = this.sealer.open(Buffer.from(sealed, 'base64'), sealContext(id)).toString('utf8');
    const message = JSON.parse(plaintext) as Omit<MailMessage, 'queuedAt'> & { queuedAt: string };
    return { ...message, queuedAt: new Date(message.queuedAt) };
  }
}

/** Binds a sealed mail to its id: under another id, it cannot be opened. */
const sealContext = (id: string): string => `mail|${id}`;
