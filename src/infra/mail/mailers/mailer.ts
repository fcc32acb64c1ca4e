import { type MailMessage } from '../mail-message';

/**
 * The mail server refused a mail with a permanent reply (RFC 5321, 5yz) that concerns this recipient or this mail. Sending it again
 * would be refused again.
 */
export class MailRefusedError extends Error {
  constructor(
    /** The enhanced status code (RFC 3463) such as `5.1.1`; the reply code such as `550` when the server sent none. */
    readonly status: string,
    /** Whether no mail can reach the address, because its mailbox does not exist. False when the server refused only this mail. */
    readonly isAddressInvalid: boolean,
    /** The words of the server, without the recipient's address. */
    readonly reply: string,
  ) {
    super(`The mail server refused the mail: ${reply}`);
    this.name = 'MailRefusedError';
  }
}

/**
 * The whole mail was handed to the mail server, which did not confirm it: a timeout, a lost connection, or a stop of this process. The
 * mail may be delivered, so sending it again may deliver it twice.
 */
export class UnconfirmedMailError extends Error {
  constructor(
    /** Whether the server failed to respond. False when this process stopped. */
    readonly isOutage: boolean,
    reason: string,
  ) {
    super(`The mail server has the mail and did not confirm it: ${reason}`);
    this.name = 'UnconfirmedMailError';
  }
}

/**
 * Sends one mail. `test/suites/mailer.suite.ts` checks every implementation:
 * - `send` resolves only when the mail is accepted for delivery (SMTP: the server returned 250; file: it is on disk);
 * - `send` rejects on every error, temporary or not; the caller's job retries, unless the error is one of the two above;
 * - a message that is sent again has the same Message-ID and Date, so that mail servers recognize the duplicate;
 * - nothing in a message can add a header, a recipient or a body part.
 */
export abstract class Mailer {
  /**
   * @param signal aborts the attempt, because this process stops.
   * @throws MailRefusedError, UnconfirmedMailError
   */
  abstract send(message: MailMessage, signal?: AbortSignal): Promise<void>;
}
