import { type MailMessage } from '../mail-message';

/**
 * Gets one mail out of the house. Contract, checked by `test/suites/mailer.suite.ts` for every implementation:
 * - resolves when the mail has been accepted for delivery (SMTP: the server's 250; files: on disk), never before;
 * - rejects on anything else, temporary or not; the caller's job tries again;
 * - the same message sent again has the same Message-ID and Date, so that a repetition can be recognised;
 * - nothing in a message can add a header, a recipient or a body part.
 */
export abstract class Mailer {
  abstract send(message: MailMessage): Promise<void>;
}
