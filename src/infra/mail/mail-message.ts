import { isMailAddress } from '#kernel/text/email-address';
import { AppError } from '#kernel/errors/app-error';
import { isUuid } from '#kernel/ids';
import { cleanText } from '#kernel/text/text';

/** A mailbox: RFC 5321 address, and what stands before it. */
export interface MailAddress {
  readonly address: string;
  readonly name?: string;
}

/** The headers that a mail may add: nothing else can be set, so nothing can be injected. RFC 2369, RFC 2919, RFC 8058. */
export const MAIL_HEADERS = ['List-Id', 'List-Unsubscribe', 'List-Unsubscribe-Post'] as const;
export type MailHeaders = Partial<Readonly<Record<(typeof MAIL_HEADERS)[number], string>>>;

/** A PNG that the HTML shows as `<img src="cid:NAME">`: mail programs draw no SVG, and many fetch nothing. */
export interface MailImage {
  /** Letters, digits and `-`. */
  readonly name: string;
  readonly base64: string;
}

/** What a module wants sent. */
export interface MailDraft {
  readonly to: MailAddress;
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  readonly headers?: MailHeaders;
  readonly images?: readonly MailImage[];
}

/** A mail on its way: the same at every attempt, so that a repetition can be recognised. */
export interface MailMessage extends MailDraft {
  /** A uuid: the Message-ID is made of it. */
  readonly id: string;
  /** When it was queued: its Date. */
  readonly queuedAt: Date;
}

const MAX_SUBJECT_LENGTH = 200;
const MAX_NAME_LENGTH = 100;
const MAX_HEADER_LENGTH = 900;

const PRINTABLE_ASCII = /^[\u0020-\u007e]+$/;

/**
 * The message as it may be written into headers. Names and subjects are what people typed: line breaks and control
 * characters in them become spaces. Addresses and header values are never guessed at.
 * @throws AppError `invalid_input` on an address, header or id that cannot be one.
 */
export function checkedMail(message: MailMessage): MailMessage {
  if (!isUuid(message.id)) throw AppError.invalidInput('mail_id', 'A mail needs a uuid.');
  for (const [name, value] of Object.entries(message.headers ?? {})) {
    const known = (MAIL_HEADERS as readonly string[]).includes(name);
    if (!known || !PRINTABLE_ASCII.test(value) || value.length > MAX_HEADER_LENGTH) {
      throw AppError.invalidInput('mail_header', 'This mail header cannot be set to this value.');
    }
  }
  if (message.images?.some(({ name }) => !/^[a-z0-9-]{1,40}$/.test(name))) {
    throw AppError.invalidInput('mail_image', 'This is no name for an image of a mail.');
  }
  return { ...message, to: checkedAddress(message.to), subject: oneLine(message.subject, MAX_SUBJECT_LENGTH) };
}

/** @throws AppError `invalid_input` when it is no address. */
export function checkedAddress({ address, name }: MailAddress): MailAddress {
  if (!isMailAddress(address)) {
    throw AppError.invalidInput('mail_address', 'This is not an e-mail address.');
  }
  return { address, name: oneLine(name ?? '', MAX_NAME_LENGTH) };
}

/** `Agate <agate@example.org>` or the bare address, as in `MAIL_FROM`. */
export function parseMailAddress(text: string): MailAddress {
  const parts = /^\s*"?([^"<>]*?)"?\s*<([^<>]+)>\s*$/.exec(text);
  return checkedAddress(parts ? { name: parts[1], address: parts[2] ?? '' } : { address: text.trim() });
}

/** One line, and no "encoded word" (RFC 2047): a reader would decode what somebody typed, line breaks included. */
const oneLine = (text: string, maxLength: number): string =>
  cleanText(text.replace(/\s+/gu, ' ').replaceAll('=?', '= ?'), maxLength);
