import { type SendMailOptions } from 'nodemailer';
import { AppError } from '#kernel/errors/app-error';
import { isUuid } from '#kernel/ids';
import { isMailAddress } from '#kernel/text/email-address';
import { cleanText } from '#kernel/text/text';

/** An address (RFC 5321) and its display name. */
export interface MailAddress {
  readonly address: string;
  readonly name?: string;
}

/** The only headers that a caller can set, so that no other header can be injected. See RFC 2369, RFC 2919 and RFC 8058. */
const MAIL_HEADERS = ['List-Id', 'List-Unsubscribe', 'List-Unsubscribe-Post'] as const;
export type MailHeaders = Partial<Readonly<Record<(typeof MAIL_HEADERS)[number], string>>>;

/**
 * A PNG that the HTML shows as `<img src="cid:NAME">`. Mail programs do not show SVG, and many do not load images from URLs.
 */
interface MailImage {
  /** Lower-case letters, digits and `-`. */
  readonly name: string;
  readonly base64: string;
}

/** An image that many mails share, or that is made of its id. The queue stores only the key: `MailOutbox` reads the image when it sends the mail. */
export interface SharedMailImage {
  readonly name: string;
  /** The kind of image, which names the function that reads it, and the id. */
  readonly shared: { readonly kind: string; readonly id: string };
}

/** A mail without the id and the date that the queue gives it. */
export interface MailDraft {
  readonly to: MailAddress;
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  /** Shown instead of the name in `MAIL_FROM`. Left out when it could be taken for an address. */
  readonly senderName?: string;
  readonly headers?: MailHeaders;
  readonly images?: readonly MailImage[];
  readonly sharedImages?: readonly SharedMailImage[];
}

/** A mail to send. Its id and date are the same on every attempt, so that mail servers recognize a duplicate. */
export interface MailMessage extends MailDraft {
  /** A uuid, from which the Message-ID is made. */
  readonly id: string;
  /** The value of the Date header. */
  readonly queuedAt: Date;
}

const MAX_SUBJECT_LENGTH = 200;
const MAX_NAME_LENGTH = 100;
const MAX_HEADER_LENGTH = 900;

const PRINTABLE_ASCII = /^[\u0020-\u007e]+$/;

/**
 * Makes a message safe to send. Names and subjects contain user input, so line breaks and control characters in them become
 * spaces. Addresses and headers are not repaired.
 * @throws AppError invalid_input when the id, an address, a header or the name of an image is malformed.
 */
export function checkedMail(message: MailMessage): MailMessage {
  if (!isUuid(message.id)) throw AppError.invalidInput('mail_id', 'The id of a mail must be a uuid.');
  for (const [name, value] of Object.entries(message.headers ?? {})) {
    const known = (MAIL_HEADERS as readonly string[]).includes(name);
    if (!known || !PRINTABLE_ASCII.test(value) || value.length > MAX_HEADER_LENGTH) {
      throw AppError.invalidInput('mail_header', 'This mail header cannot be set to this value.');
    }
  }
  const images = [...(message.images ?? []), ...(message.sharedImages ?? [])];
  if (images.some(({ name }) => !/^[a-z0-9-]{1,40}$/.test(name))) {
    throw AppError.invalidInput(
      'mail_image',
      'The name of a mail image may contain only lower-case letters, digits and "-".',
    );
  }
  const { senderName, ...others } = message;
  return {
    ...others,
    ...checkedSender(senderName),
    to: checkedAddress(message.to),
    subject: oneLine(message.subject, MAX_SUBJECT_LENGTH),
  };
}

/** Some mail programs show only the name of a sender. It must not name another address or site. */
const LIKE_AN_ADDRESS = /[@＠<>"\\]|:\/\/|\bwww\./i;

function checkedSender(senderName = ''): Pick<MailDraft, 'senderName'> {
  const name = oneLine(senderName, MAX_NAME_LENGTH);
  return name === '' || LIKE_AN_ADDRESS.test(name) ? {} : { senderName: name };
}

/** @throws AppError invalid_input when the address is malformed. */
function checkedAddress({ address, name }: MailAddress): MailAddress {
  if (!isMailAddress(address)) {
    throw AppError.invalidInput('mail_address', 'This is not an e-mail address.');
  }
  return { address, name: oneLine(name ?? '', MAX_NAME_LENGTH) };
}

/**
 * Parses `Agate <agate@example.org>` or an address alone, the format of `MAIL_FROM`.
 * @throws AppError invalid_input when the address is malformed.
 */
export function parseMailAddress(text: string): MailAddress {
  const parts = /^\s*"?([^"<>]*?)"?\s*<([^<>]+)>\s*$/.exec(text);
  return checkedAddress(parts ? { name: parts[1], address: parts[2] ?? '' } : { address: text.trim() });
}

/** Removes line breaks and "encoded words" (RFC 2047), which a mail program would decode into line breaks again. */
const oneLine = (text: string, maxLength: number): string =>
  cleanText(text.replace(/\s+/gu, ' ').replaceAll('=?', '= ?'), maxLength);

/** Builds the input from which nodemailer makes an RFC 5322 message, for every mailer. @throws AppError like `checkedMail`. */
export function composeMail(message: MailMessage, from: MailAddress): SendMailOptions {
  const { id, to, subject, html, text, senderName, headers, images = [], queuedAt } = checkedMail(message);
  return {
    from: toMailbox({ address: from.address, name: senderName ?? from.name ?? '' }),
    to: toMailbox(to),
    subject,
    text,
    html,
    attachments: images.map(({ name, base64 }) => ({
      cid: name,
      filename: `${name}.png`,
      contentType: 'image/png',
      contentDisposition: 'inline',
      content: Buffer.from(base64, 'base64'),
    })),
    date: queuedAt,
    messageId: `<${id}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`,
    // RFC 3834: suppresses automatic replies.
    headers: { 'Auto-Submitted': 'auto-generated', ...headers },
    // The content of a mail must not make this process read a file or load a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

const toMailbox = ({ address, name }: MailAddress): { address: string; name: string } => ({
  address,
  name: name ?? '',
});
