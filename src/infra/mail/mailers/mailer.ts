import { type MailMessage } from '../mail-message';

/**
 * Sends one mail. `test/suites/mailer.suite.ts` checks every implementation:
 * - `send` resolves only when the mail is accepted for delivery (SMTP: the server returned 250; file: it is on disk);
 * - `send` rejects on every error, temporary or not; the caller's job retries;
 * - a message that is sent again has the same Message-ID and Date, so that mail servers recognize the duplicate;
 * - nothing in a message can add a header, a recipient or a body part.
 */
export abstract class Mailer {
  abstract send(message: MailMessage): Promise<void>;
}
