import { createHash } from 'node:crypto';

/** The hash before the first event of a chain: SHA-256 of no bytes. */
export const CHAIN_START = createHash('sha256').digest();

/**
 * The hash of an event in its chain: SHA-256 over the previous hash and the event's fields as text. Each field is prefixed with its length
 * in bytes (`4:text`), and null is written as `-`, so that two different events never have the same encoding.
 * @param fields in this order: position, id, organization, project, type, actor's kind, id and label, address, request, payload as jsonb
 * prints it, time in milliseconds since 1970. The database function `audit_digest` computes the same.
 */
export function auditDigest(previous: Buffer, fields: readonly (string | null)[]): Buffer {
  const hash = createHash('sha256').update(previous);
  for (const field of fields) hash.update(field === null ? '-' : `${Buffer.byteLength(field)}:${field}`);
  return hash.digest();
}
