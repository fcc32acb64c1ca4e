import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';

/** A new secret in the form of the Standard Webhooks: 32 random bytes. */
export const newWebhookSecret = (): string => PREFIX + randomBytes(32).toString('base64');

interface SignedMessage {
  /** The id of the event: the same in every attempt. */
  readonly id: string;
  /** Of this attempt, in whole seconds. */
  readonly timestamp: number;
  readonly body: Buffer;
}

/**
 * The headers of a message (https://www.standardwebhooks.com, version 1).
 * @param secrets the present one, and the previous one while it still signs.
 */
export function signedHeaders(message: SignedMessage, secrets: readonly string[]): Readonly<Record<string, string>> {
  return {
    'webhook-id': message.id,
    'webhook-timestamp': String(message.timestamp),
    'webhook-signature': secrets.map((secret) => `v1,${signatureOf(message, secret)}`).join(' '),
  };
}

const signatureOf = ({ id, timestamp, body }: SignedMessage, secret: string): string =>
  createHmac('sha256', Buffer.from(secret.slice(PREFIX.length), 'base64'))
    .update(`${id}.${timestamp}.`)
    .update(body)
    .digest('base64');
