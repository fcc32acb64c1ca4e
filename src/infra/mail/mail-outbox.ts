import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { newId } from '#kernel/ids';
import { Sealer } from '#infra/crypto/sealer';
import { defineJob } from '#infra/jobs/job-kind';
import { Jobs } from '#infra/jobs/jobs';
import { Metrics } from '#infra/metrics/metrics';
import { checkedMail, type MailDraft, type MailMessage } from './mail-message';
import { Mailer } from './mailers/mailer';

/** Fourteen attempts end about a day after the first. */
const MAIL_SEND = defineJob<SealedMail>('mail.send', { maxAttempts: 14 });

/** Somebody whom the database knows: when they are erased, what waits for them is not sent any more. */
export interface MailRecipient {
  readonly kind: 'developer' | 'invitation' | 'tester';
  readonly id: string;
}

/** A mail as it waits in the database: its links open doors, so it can be read only by this service. */
interface SealedMail {
  readonly id: string;
  readonly recipient?: MailRecipient;
  /** Base64. */
  readonly sealed: string;
}

export interface QueueMailOptions {
  /** Names the occasion: while a mail of that name is in the queue, others of that name are dropped. */
  readonly key?: string;
  /** One of very many: mails that somebody waits for overtake it. */
  readonly bulk?: boolean;
  /** Whom it is for: it is sent only while they are there. */
  readonly recipient?: MailRecipient;
}

/** Whether somebody is there at this moment. */
export type RecipientCheck = (ctx: RequestContext, id: string) => Promise<boolean>;

/**
 * Where modules leave their mail: part of the transaction of whatever it tells about, sent after the commit.
 *
 * A mail is delivered at least once, and twice only if the process or its connection dies in the moment between the
 * mail server's "accepted" and the deletion of the job: no protocol closes that gap (SMTP takes part in no transaction).
 * The repetition has the same Message-ID, by which mail servers and programs drop duplicates.
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

  /** Says how to tell that a recipient is still there: called in `onModuleInit` by the module that knows them. */
  sendOnlyWhile(kind: MailRecipient['kind'], isThere: RecipientCheck): void {
    this.checks.set(kind, isThere);
  }

  /** @throws AppError `invalid_input` on an address or header that cannot be one: now, not in the job. */
  async queue(ctx: RequestContext, draft: MailDraft, options: QueueMailOptions = {}): Promise<void> {
    const message = checkedMail({ ...draft, id: newId(), queuedAt: ctx.clock.now() });
    await this.jobs.enqueue(ctx, MAIL_SEND, this.seal(message, options.recipient), options);
  }

  private async send(ctx: RequestContext, mail: SealedMail): Promise<void> {
    const { recipient } = mail;
    const isThere = recipient && this.checks.get(recipient.kind);
    if (isThere && !(await isThere(ctx, recipient.id))) return;
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
    const sealed = this.sealer.seal(plaintext, placeOf(message.id)).toString('base64');
    return { id: message.id, ...(recipient && { recipient }), sealed };
  }

  private open({ id, sealed }: SealedMail): MailMessage {
    const plaintext = this.sealer.open(Buffer.from(sealed, 'base64'), placeOf(id)).toString('utf8');
    const message = JSON.parse(plaintext) as Omit<MailMessage, 'queuedAt'> & { queuedAt: string };
    return { ...message, queuedAt: new Date(message.queuedAt) };
  }
}

const placeOf = (id: string): string => `mail|${id}`;
