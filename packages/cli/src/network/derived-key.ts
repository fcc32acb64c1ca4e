import { createHash } from 'node:crypto';

/** The hexadecimal digits of a UUID, and the positions of its version and variant. */
const UUID = /^(.{8})(.{4}).(.{3}).(.{3})(.{12})/;

/**
 * A UUID that is derived from facts. As an idempotency key it makes the service continue the same upload on every machine with the same
 * file, fields and credential, without a local file that stores the upload.
 */
export function derivedKey(...facts: readonly unknown[]): string {
  const digest = createHash('sha256').update(JSON.stringify(facts)).digest('hex');
  // Version 8 of RFC 9562: the application defines the content.
  return digest.slice(0, 32).replace(UUID, '$1-$2-8$3-a$4-$5');
}
