import { setImmediate as nextLoopTurn } from 'node:timers/promises';
import { inflateRawSync } from 'node:zlib';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { Hook } from '#kernel/hook';
import { newId } from '#kernel/ids';
import { Sealer } from '#infra/crypto/sealer';
import { Transactions } from '#infra/database/transactions';
import { defineJob, type JobRun } from '#infra/jobs/job-kind';
import { Jobs } from '#infra/jobs/jobs';
import { Logger } from '#infra/logging/logger';
import { Metrics } from '#infra/metrics/metrics';
import { checkedMail, type MailDraft, type MailMessage, type SharedMailImage } from './mail-message';
import { Mailer, MailRefusedError, UnconfirmedMailError } from './mailers/mailer';

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
  /** The releases that a mail to a tester is about. */
  readonly releaseIds?: readonly string[];
  /** When a mail about releases was queued (ISO 8601). Absent in mails that an earlier version queued. */
  readonly queuedAt?: string;
}

/** A mail that will not reach its recipient. */
export interface FailedMail {
  readonly recipient: MailRecipient;
  /** The status with which the mail server said that the address is invalid; null when the address may be valid. */
  readonly invalidAddress: string | null;
}

/** False: the recipient does not want the mail, or no longer exists. `unreachable`: the address is known to be invalid. */
export type RecipientVerdict = boolean | 'unreachable';

/** A queued mail in the database. It is encrypted because its links are secrets. */
interface SealedMail {
  readonly id: string;
  readonly recipient?: MailRecipient;
  /** In base64. */
  readonly sealed: string;
  /** Set when the sealed text is the content of a mail, from which the composer of this kind makes the mail. */
  readonly contentKind?: string;
  /** Set when the message was compressed before it was sealed. Versions before 0.3 did so with each of many mails. */
  readonly isCompressed?: true;
  /** Set for the second attempt after the mail server did not confirm the first one. */
  readonly wasUnconfirmed?: true;
}

export interface QueueMailOptions {
  /** While a mail with this key is in the queue, other mails with the same key are dropped. */
  readonly key?: string;
  /** Earliest time of sending. By default immediately. */
  readonly runAt?: Date;
  /** The mail is sent only if this recipient may still be mailed. */
  readonly recipient?: MailRecipient;
}

/** One of many mails. It is composed when it is sent. */
export interface MassMail<Content extends object> {
  /** Of what the mail is composed. Stored as JSON, sealed. */
  readonly content: Content;
  readonly recipient: MailRecipient;
}

/** Composes a mail when it is sent. Null when what it is about no longer exists: nothing is sent. An error is retried. */
export type MailComposer<Content extends object> = (ctx: RequestContext, content: Content) => Promise<MailDraft | null>;

/** The content of one of many mails, before it is sealed. */
interface QueuedContent {
  readonly content: object;
  /** ISO 8601. */
  readonly queuedAt: string;
}

/** Whether the recipient still exists, and wants the mail. */
export type RecipientCheck = (ctx: RequestContext, recipient: MailRecipient) => Promise<RecipientVerdict>;

/** Reads an image that many mails share, as PNG. Null when it no longer exists. */
export type SharedImageReader = (ctx: RequestContext, id: string) => Promise<Buffer | null>;

/** Together they take some milliseconds. */
const SEALED_PER_TURN = 100;

/** The memory for images that many mails share. A release mail to ten thousand testers reads each of its icons once per process. */
const SHARED_IMAGES_BYTES = 2_000_000;

/** A transparent pixel, for an image that was deleted after the mail was queued: without it, mail programs show a broken image. */
const NO_IMAGE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAAC0lEQVR42mNgAAIAAAUAAen63NgAAAAASUVORK5CYII=';

/**
 * The second attempt for a mail that the server did not confirm: late, because the server probably still delivers the first one, and
 * early enough for links that are valid for an hour.
 */
const UNCONFIRMED_RETRY_MS = 30 * 60_000;

/**
 * Queues mails in the caller's transaction. They are sent after the commit, by a job.
 *
 * A temporary error is retried for about a day, a permanent refusal of the mail server is final immediately. A mail that the server received
 * and did not confirm is sent once more, half an hour later, and never again: it may be delivered twice, with the same Message-ID, by
 * which mail servers and mail programs drop it. So may a mail whose process is killed before it can record what it sent; SMTP cannot take
 * part in a transaction (docs/decisions/0065-outcomes-of-mails.md).
 */
@Injectable()
export class MailOutbox implements OnModuleInit {
  /** Runs in a transaction of its own when a mail to a known recipient failed for good. */
  readonly failures = new Hook<[tx: RequestContext, mail: FailedMail]>();
  private readonly checks = new Map<MailRecipient['kind'], readonly RecipientCheck[]>();
  private readonly composers = new Map<string, MailComposer<never>>();
  private readonly imageReaders = new Map<string, SharedImageReader>();
  private readonly sharedImages = new LRUCache<string, string>({
    maxSize: SHARED_IMAGES_BYTES,
    sizeCalculation: ({ length }) => length,
  });

  constructor(
    private readonly jobs: Jobs,
    private readonly mailer: Mailer,
    private readonly sealer: Sealer,
    private readonly metrics: Metrics,
    private readonly transactions: Transactions,
    private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.jobs.register(MAIL_SEND, (ctx, mail, run) => this.send(ctx, mail, run));
  }

  /**
   * Registers a check for one kind of recipient: a mail is sent if all of them allow it. The module that owns the recipients, or the subject of
   * the mails, calls this in `onModuleInit`.
   */
  sendOnlyWhile(kind: MailRecipient['kind'], check: RecipientCheck): void {
    this.checks.set(kind, [...(this.checks.get(kind) ?? []), check]);
  }

  /** Registers the composer of one kind of mass mails. The module that queues them calls this in `onModuleInit`. */
  composeWhenSent<Content extends object>(kind: string, compose: MailComposer<Content>): void {
    this.composers.set(kind, compose);
  }

  /** Registers the reader of one kind of shared images. The module that owns the images calls this in `onModuleInit`. */
  readSharedImages(kind: string, read: SharedImageReader): void {
    this.imageReaders.set(kind, read);
  }

  /** Queues a mail. @throws AppError invalid_input immediately, not in the job, when an address or header is malformed. */
  async queue(ctx: RequestContext, draft: MailDraft, options: QueueMailOptions = {}): Promise<void> {
    await this.jobs.enqueue(ctx, MAIL_SEND, this.seal(ctx, draft, options.recipient), options);
  }

  /**
   * Queues many mails with one statement. Other mails are sent first. The queue has a kilobyte of each: tens of thousands of
   * mails share their text, and to render, seal and store all of it takes most of the time.
   * @param kind names the composer of the mails.
   * @param turn Of the mails that are queued so, those of lower turns are sent first, so that one sender's thousands do not delay another's
   * few.
   */
  async queueAll(ctx: RequestContext, kind: string, mails: readonly MassMail<object>[], turn: number): Promise<void> {
    const sealed: SealedMail[] = [];
    for (const [index, { content, recipient }] of mails.entries()) {
      // Requests to the same process are handled between the mails.
      if (index % SEALED_PER_TURN === 0) await nextLoopTurn();
      const id = newId();
      const queued: QueuedContent = { content, queuedAt: ctx.clock.now().toISOString() };
      sealed.push({ id, recipient, contentKind: kind, sealed: this.sealed(queued, id) });
    }
    await this.jobs.enqueueAll(ctx, MAIL_SEND, sealed, { bulk: true, turn });
  }

  private async send(ctx: RequestContext, mail: SealedMail, { signal }: JobRun): Promise<void> {
    const { recipient } = mail;
    const verdict = recipient ? await this.check(ctx, recipient) : true;
    if (verdict === 'unreachable') await this.fail(ctx, recipient, null);
    if (verdict !== true) return;
    const message = await this.read(ctx, mail);
    if (!message) return;
    try {
      await this.mailer.send(await this.withSharedImages(ctx, message), signal);
    } catch (error) {
      if (error instanceof MailRefusedError) return this.giveUp(ctx, mail, error);
      this.metrics.count('agate_mails_failed_total', {});
      if (error instanceof UnconfirmedMailError) return this.sendOnceMore(ctx, mail, error);
      throw error;
    }
    this.metrics.count('agate_mails_sent_total', {});
  }

  private async check(ctx: RequestContext, recipient: MailRecipient): Promise<RecipientVerdict> {
    for (const check of this.checks.get(recipient.kind) ?? []) {
      const verdict = await check(ctx, recipient);
      if (verdict !== true) return verdict;
    }
    return true;
  }

  private async withSharedImages(ctx: RequestContext, message: MailMessage): Promise<MailMessage> {
    const { sharedImages = [], images = [], ...others } = message;
    if (sharedImages.length === 0) return message;
    const read = await Promise.all(sharedImages.map((image) => this.readSharedImage(ctx, image)));
    return { ...others, images: [...images, ...read] };
  }

  private async readSharedImage(
    ctx: RequestContext,
    { name, shared: { kind, id } }: SharedMailImage,
  ): Promise<{ readonly name: string; readonly base64: string }> {
    const key = `${kind}|${id}`;
    const known = this.sharedImages.get(key);
    if (known !== undefined) return { name, base64: known };
    const image = await this.imageReaders.get(kind)?.(ctx, id);
    if (!image) return { name, base64: NO_IMAGE };
    const base64 = image.toString('base64');
    this.sharedImages.set(key, base64);
    return { name, base64 };
  }

  private async giveUp(ctx: RequestContext, { id, recipient }: SealedMail, refusal: MailRefusedError): Promise<void> {
    const { status, reply, isAddressInvalid } = refusal;
    this.metrics.count('agate_mails_refused_total', { reason: isAddressInvalid ? 'address' : 'mail' });
    // An invalid address is a mistake of a developer. The alert about failing mails does not concern it.
    if (!isAddressInvalid) this.metrics.count('agate_mails_failed_total', {});
    this.logger.warn(
      { mailId: id, recipient, status, reply },
      isAddressInvalid
        ? 'The mail server does not know the recipient; the mail is not sent again'
        : 'The mail server refused a mail for good; it is not sent again',
    );
    await this.fail(ctx, recipient, isAddressInvalid ? status : null);
  }

  private async fail(
    ctx: RequestContext,
    recipient: MailRecipient | undefined,
    invalidAddress: string | null,
  ): Promise<void> {
    if (recipient) await this.transactions.run(ctx, (tx) => this.failures.run(tx, { recipient, invalidAddress }));
  }

  private async sendOnceMore(ctx: RequestContext, mail: SealedMail, { message }: UnconfirmedMailError): Promise<void> {
    const fields = { mailId: mail.id, recipient: mail.recipient, reason: message };
    if (mail.wasUnconfirmed)
      return this.logger.warn(fields, 'The mail server did not confirm a mail twice; it is not sent again');
    const runAt = new Date(ctx.clock.now().getTime() + UNCONFIRMED_RETRY_MS);
    const options = { runAt, key: `unconfirmed:${mail.id}`, bulk: true };
    await this.jobs.enqueue(ctx, MAIL_SEND, { ...mail, wasUnconfirmed: true }, options);
    this.logger.warn(
      fields,
      'The mail server did not confirm a mail, which may be delivered; it is sent once more later',
    );
  }

  private seal(ctx: RequestContext, draft: MailDraft, recipient: MailRecipient | undefined): SealedMail {
    const id = newId();
    const message = checkedMail({ ...draft, id, queuedAt: ctx.clock.now() });
    return { id, ...(recipient && { recipient }), sealed: this.sealed(message, id) };
  }

  private sealed(value: object, id: string): string {
    return this.sealer.seal(Buffer.from(JSON.stringify(value), 'utf8'), sealContext(id)).toString('base64');
  }

  private async read(ctx: RequestContext, mail: SealedMail): Promise<MailMessage | null> {
    const { id, contentKind } = mail;
    const opened = this.open(mail);
    const queuedAt = new Date(opened.queuedAt);
    if (contentKind === undefined) return { ...(opened as Stored<MailMessage>), queuedAt };
    const compose = this.composers.get(contentKind) as MailComposer<object> | undefined;
    if (!compose)
      throw new AppError('internal_error', {
        message: `This version cannot compose mails of the kind ${contentKind}.`,
      });
    const draft = await compose(ctx, (opened as QueuedContent).content);
    return draft && { ...draft, id, queuedAt };
  }

  private open({ id, sealed, isCompressed }: SealedMail): Stored<MailMessage> | QueuedContent {
    const opened = this.sealer.open(Buffer.from(sealed, 'base64'), sealContext(id));
    const plaintext = (isCompressed ? inflateRawSync(opened) : opened).toString('utf8');
    return JSON.parse(plaintext) as Stored<MailMessage> | QueuedContent;
  }
}

type Stored<T extends { readonly queuedAt: Date }> = Omit<T, 'queuedAt'> & { readonly queuedAt: string };

/** Binds a sealed mail to its id: under another id, it cannot be opened. */
const sealContext = (id: string): string => `mail|${id}`;
