import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { newId } from '#kernel/ids/ids';
import { Sealer } from '#platform/crypto/sealer';
import { defineJob } from '#platform/jobs/job-kind';
import { Jobs } from '#platform/jobs/jobs';
import { Metrics } from '#platform/metrics/metrics';
import { checkedMail, type MailDraft, type MailMessage } from './mail-message';
import { Mailer } from './mailer';

/** Fourteen attempts end about a day after the first. */
const MAIL_SEND = defineJob<SealedMail>('mail.send', { maxAttempts: 14 });

/** A mail as it waits in the database: its links open doors, so it can be read only by this service. */
interface SealedMail {
  readonly id: string;
  /** Base64. */
  readonly sealed: string;
}

export interface QueueMailOptions {
  /** Names the occasion: while a mail of that name is in the queue, others of that name are dropped. */
  readonly key?: string;
  /** One of very many: mails that somebody waits for overtake it. */
  readonly bulk?: boolean;
}

/**
 * Where modules leave their mail: part of the transaction of whatever it tells about, sent after the commit.
 *
 * A mail is delivered at least once, and twice only if the process or its connection dies in the moment between the
 * mail server's "accepted" and the deletion of the job: no protocol closes that gap (SMTP takes part in no transaction).
 * The repetition has the same Message-ID, by which mail servers and programs drop duplicates.
 */
@Injectable()
export class MailOutbox implements OnModuleInit {
  constructor(
    private readonly jobs: Jobs,
    private readonly mailer: Mailer,
    private readonly sealer: Sealer,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    this.jobs.register(MAIL_SEND, (_ctx, mail) => this.send(this.open(mail)));
  }

  /** @throws AppError `invalid_input` on an address or header that cannot be one: now, not in the job. */
  async queue(ctx: RequestContext, draft: MailDraft, options: QueueMailOptions = {}): Promise<void> {
    const message = checkedMail({ ...draft, id: newId(), queuedAt: ctx.clock.now() });
    await this.jobs.enqueue(ctx, MAIL_SEND, this.seal(message), options);
  }

  private async send(message: MailMessage): Promise<void> {
    try {
      await this.mailer.send(message);
    } catch (error) {
      this.metrics.count('agate_mails_failed_total', {});
      throw error;
    }
    this.metrics.count('agate_mails_sent_total', {});
  }

  private seal(message: MailMessage): SealedMail {
    const plaintext = Buffer.from(JSON.stringify(message), 'utf8');
    return { id: message.id, sealed: this.sealer.seal(plaintext, placeOf(message.id)).toString('base64') };
  }

  private open({ id, sealed }: SealedMail): MailMessage {
    const plaintext = this.sealer.open(Buffer.from(sealed, 'base64'), placeOf(id)).toString('utf8');
    const message = JSON.parse(plaintext) as Omit<MailMessage, 'queuedAt'> & { queuedAt: string };
    return { ...message, queuedAt: new Date(message.queuedAt) };
  }
}

const placeOf = (id: string): string => `mail|${id}`;
