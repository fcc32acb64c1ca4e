import { MailRefusedError } from './mailer';

/** The fields of an error of nodemailer that tell what the server refused. */
export interface SmtpError {
  readonly message: string;
  readonly code?: string;
  /** The last command: `RCPT TO`, `DATA` (also the content after it), `AUTH PLAIN` … */
  readonly command?: string;
  readonly responseCode?: number;
  readonly response?: string;
}

/**
 * Replies about the session: syntax, order of commands, and missing or wrong login (RFC 5321, RFC 4954, RFC 3207). The operator must
 * correct the configuration; no other mail would be accepted either.
 */
const SESSION_REPLIES = new Set([500, 502, 503, 504, 530, 534, 535, 538]);
/** RFC 5321 names an unknown, moved or malformed mailbox in these replies to RCPT TO. Servers without enhanced codes send nothing else. */
const MAILBOX_REPLIES = new Set(['550', '551', '553']);
/** The size of the mail, which servers know from MAIL FROM. */
const TOO_LARGE = new Set(['552', '5.2.3', '5.3.4']);
/** RFC 3463: the address of the recipient (5.1.x), and a mailbox that is closed. RFC 7505: a domain that accepts no mail (5.1.10). */
const INVALID_ADDRESS = new Set(['5.1.0', '5.1.1', '5.1.2', '5.1.3', '5.1.4', '5.1.6', '5.1.10', '5.2.1']);
/** RFC 3463: errors of the protocol, which are faults of this client or of its configuration. */
const PROTOCOL_ERROR = /^5\.5\./;
const STATUS = /^\d{3}[ -](5\.\d{1,3}\.\d{1,3})\b/;
const REPLY_LENGTH = 300;

/**
 * The refusal that an error stands for; null for errors that a later attempt may not meet (4yz, connections) and for those that the
 * operator must correct: a login, a sender or a command that the server rejects. See docs/mail.md.
 */
export function refusalOf(error: SmtpError): MailRefusedError | null {
  const { command = '', responseCode = 0, response = error.message } = error;
  if (isLargerThanAnnounced(error)) return refused('5.3.4', false, response);
  const status = STATUS.exec(response)?.[1] ?? String(responseCode);
  if (responseCode < 500 || SESSION_REPLIES.has(responseCode) || PROTOCOL_ERROR.test(status)) return null;
  if (!isAboutTheMail(command, status)) return null;
  return refused(status, isAboutTheAddress(command, status), response);
}

/** nodemailer compares the mail with the size that the server announced, and does not send it. */
const isLargerThanAnnounced = ({ command, code }: SmtpError): boolean => command === 'MAIL FROM' && code === 'EMESSAGE';

const isAboutTheMail = (command: string, status: string): boolean =>
  command === 'RCPT TO' || command === 'DATA' || (command === 'MAIL FROM' && TOO_LARGE.has(status));

const isAboutTheAddress = (command: string, status: string): boolean =>
  INVALID_ADDRESS.has(status) || (command === 'RCPT TO' && MAILBOX_REPLIES.has(status));

const refused = (status: string, isAddressInvalid: boolean, response: string): MailRefusedError =>
  new MailRefusedError(status, isAddressInvalid, response.replace(/\s+/g, ' ').slice(0, REPLY_LENGTH));
