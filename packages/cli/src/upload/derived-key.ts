import { createHash } from 'node:crypto';

/** Hexadecimal digits of a UUID, with where its version and variant lie. */
const UUID = /^(.{8})(.{4}).(.{3}).(.{3})(.{12})/;

/**
 * A UUID that is the same whenever the same facts are given. As an idempotency key it makes the service continue the same upload for
 * every machine that has the same file, fields and credential, without a file that remembers it.
 */
export function derivedKey(...facts: readonly unknown[]): string {
  const digest = createHash('sha256').update(JSON.stringify(facts)).digest('hex');
  // Version 8 of RFC 9562: the content is the application's own.
  return digest.slice(0, 32).replace(UUID, '$1-$2-8$3-a$4-$5');
}
